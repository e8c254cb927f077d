"""Pictures of patchworks show every cell, where grids meet, and what was done to join them."""

import numpy as np
import pytest
from small_maps import AROUND, full_map, small_map

import wavefold as wf
from support import compiled_only
from wavefold.patchwork.picture import (
    CHANGED,
    GrowthFrames,
    PatchworkSketch,
    compute_heights,
    draw_patchwork,
    record_growth,
)
from wavefold.render.canvas import MARK
from wavefold.worlds.picture import SEAM


@pytest.fixture(scope="module", params=["rivers", "pipes"])
def made(request):
    return full_map(request.param, "overlap", seed=4)


def pixels_like(image, colour):
    return int((np.asarray(image) == np.array(colour)).all(axis=-1).sum())


# --- pictures -------------------------------------------------------------------------------------


def test_the_map_is_one_solution_with_every_cell_in_its_place(made):
    solution = made.solution()
    places = (solution.problem.topology.coordinates + np.array(solution.origin)).tolist()
    found = {tuple(place): pattern for place, pattern in zip(places, solution.patterns.tolist(), strict=True)}
    assert found == made.patterns
    assert wf.check(solution.problem, solution) == []


def test_marks_and_lines_are_there_when_asked_for(made):
    assert made.changed
    plain = draw_patchwork(made, tile_size=16)
    assert pixels_like(plain, CHANGED) == pixels_like(plain, SEAM) == 0
    marked = draw_patchwork(made, tile_size=16, marks=True)
    assert pixels_like(marked, CHANGED) >= 9 * len(made.changed)
    lined = draw_patchwork(made, tile_size=16, outlines=True)
    assert pixels_like(lined, SEAM) > 100


def test_a_legend_adds_a_strip_and_nothing_else(made):
    bare, explained = (
        draw_patchwork(made, tile_size=16, outlines=True, marks=True, legend=legend)
        for legend in (False, True)
    )
    assert explained.height > bare.height
    assert (np.asarray(explained)[: bare.height, : bare.width] == np.asarray(bare)).all()


def test_dropped_cells_have_red_rings():
    made = full_map("pipes", "overlap", seed=4)
    made.parts.context.dropped[0, 0] = None
    image = draw_patchwork(made, tile_size=16, marks=True)
    assert pixels_like(image, MARK) > 8
    assert pixels_like(draw_patchwork(made, tile_size=16), MARK) == 0


def test_a_map_that_grows_meanwhile_is_drawn_and_checked_as_it_was(monkeypatch):
    made = small_map("rivers", "overlap", 4)
    made.populate((0, 0))
    look = type(made).snapshot
    keys = iter(AROUND["rivers"][1:])

    def look_and_grow(self):
        seen = look(self)
        made.populate(next(keys))  # somebody else grows the map just then
        return seen

    marked = {"tile_size": 12, "outlines": True, "marks": True, "legend": True}
    before = draw_patchwork(made, **marked)
    monkeypatch.setattr(type(made), "snapshot", look_and_grow)
    assert (np.asarray(draw_patchwork(made, **marked)) == np.asarray(before)).all()
    assert wf.check(made) == []
    assert len(made.grids) == 3


def test_the_legend_counts_the_dots(monkeypatch):
    legends = []
    monkeypatch.setattr(
        "wavefold.patchwork.picture.add_legend", lambda image, entries: legends.append(list(entries)) or image
    )
    made = full_map("pipes", "overlap", seed=4)
    made.parts.context.dropped[made.changed[0]] = None
    draw_patchwork(made, tile_size=8, marks=True, legend=True)
    assert legends == [[f"{len(made.changed) - 1:,} changed", "1 dropped"]]


def test_low_land_is_darker_than_high_land():
    tiles = wf.TileSet.load("medieval")
    heights = compute_heights(tiles)
    assert (heights.min(), heights.max()) == (0, 4)
    made = wf.Patchwork(tiles, 1, 0)
    made.populate((0, 0))
    sketch = PatchworkSketch(made, made.solution(), 16)
    grass = [number for number, each in enumerate(tiles.patterns) if each.tile.name == "grass"][:5]
    assert heights[grass].tolist() == [0, 1, 2, 3, 4]
    light = [np.asarray(sketch.paint({(0, 0): pattern}))[..., :3].sum() for pattern in grass]
    assert light == sorted(light)
    assert len(sketch.shades()) == 5


@compiled_only
def test_pictures_fit_on_a_screen_unless_told_otherwise(made):
    big = wf.Patchwork(made.tiles, 40, 1, "overlap")
    big.populate((0, 0))
    assert max(draw_patchwork(big).size) <= 2200
    with pytest.raises(wf.ConfigError, match="tile_size"):
        draw_patchwork(big, tile_size=2000)


def test_what_cannot_be_drawn_says_why():
    with pytest.raises(wf.ConfigError, match="no grid of the map is populated"):
        draw_patchwork(small_map())
    far = small_map("rivers", "witness")
    far.populate((0, 0))
    far.populate((5000, 5000))
    with pytest.raises(wf.ConfigError, match="too far apart"):
        draw_patchwork(far)


# --- growth ---------------------------------------------------------------------------------------


def test_growth_is_remembered_grid_by_grid():
    made = small_map("rivers", "overlap", 4)
    moments = record_growth(made, AROUND["rivers"])
    assert [len(moment.grids) for moment in moments] == list(range(1, 8))
    assert moments[-1].patterns == made.patterns == full_map("rivers", "overlap", 4).patterns
    assert {cell for moment in moments for cell in moment.changed} == set(made.changed)
    frames = GrowthFrames(made, moments, tile_size=12, outlines=True, marks=True)
    assert len(frames) == len(frames.milliseconds) == 7
    drawn = [np.asarray(frame) for frame in frames]
    assert all(frame.shape[1::-1] == frames.size for frame in drawn)
    white = [int((frame == 255).all(axis=-1).sum()) for frame in drawn]
    assert white == sorted(white, reverse=True)  # the paper fills up


def test_a_map_made_whole_has_one_moment():
    assert len(record_growth(small_map("rivers", "whole"), AROUND["rivers"])) == 1


def test_a_map_draws_itself(made):
    assert (np.asarray(made.image(tile_size=6)) == np.asarray(draw_patchwork(made, tile_size=6))).all()
