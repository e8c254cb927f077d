"""Animations: frames within a budget, each as the map was, and files that are the same every time."""

import os
import sys

import numpy as np
import pytest
from PIL import Image

from wavefold.errors import ConfigError, Contradiction, OutOfBudget, PluginError
from wavefold.render import Recording, animate, draw
from wavefold.render.animation import MOST_CONFLICTS, FrameDelta, FrameSampler
from wavefold.render.animation_files import MOST_COLOURS, Palette
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Partial
from wavefold.solver.solver import Solver
from wavefold.tiles import Rules, Tile, TileSet
from wavefold.tiles.rules import Relation
from wavefold.topology import CubeGrid, Graph, HexGrid, SquareGrid

SIDE = 12
PIPES = Problem(TileSet.load("pipes"), SquareGrid(SIDE, SIDE))
# Grass, wall, river and path with few tiles to join them: conflicts, and repairs.
CASTLE = TileSet([Tile(sides, tuple(sides), symmetry="turned") for sides in ("abca", "bcaa", "bccc", "daac")])
HEXES = TileSet([Tile("land", ("l",) * 6), Tile("river", (*"wllwll",), symmetry=(0, 60, 120))], "hex")
BLOCKS = TileSet(
    [
        Tile("air", ("a",) * 6, picture=np.zeros((4, 4, 4), np.uint8)),
        Tile("red", ("a",) * 6, picture=np.full((4, 4, 4), (255, 0, 0, 255), np.uint8)),
    ],
    "cube",
)
PROBLEMS = {
    "square": PIPES,
    "pointy": Problem(HEXES, HexGrid(radius=3)),
    "flat": Problem(HEXES, HexGrid(radius=3, layout="flat")),
    "cube": Problem(BLOCKS, CubeGrid(3, 3, 3)),
}


def on_white(image):
    page = Image.new("RGBA", image.size, "white")
    page.alpha_composite(image)
    return np.asarray(page.convert("RGB"))


def waves(animation):
    """The wave at every moment."""
    words = np.zeros_like(animation.moments[0].words)
    for moment in animation.moments:
        words[moment.cells] = moment.words
        yield Partial(animation.problem, words.copy())


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("show", ["tiles", "entropy"])
def test_every_frame_is_the_picture_of_its_wave(name, show):
    animation = animate(PROBLEMS[name], seed=3, frames=20)
    frames = animation.frames(tile_size=14, show=show)
    for frame, moment, wave in zip(frames, animation.moments, waves(animation), strict=True):
        shown = on_white(draw(wave, tile_size=14, show=show, conflicts=moment.conflicts))
        assert (np.asarray(frame) == shown).all()


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_last_frame_is_the_solution(name):
    animation = animate(PROBLEMS[name], seed=3, frames=10)
    *_, last = animation.frames(tile_size=10)
    assert (np.asarray(last) == on_white(draw(animation.solution, tile_size=10))).all()
    assert (animation.solution.patterns == Solver(PROBLEMS[name], seed=3).run().patterns).all()


@pytest.mark.parametrize("frames", [3, 4, 7, 24])
def test_there_are_never_more_frames_than_asked_for_and_not_far_fewer(frames):
    animation = animate(PIPES, seed=1, frames=frames, order="random")
    assert frames // 2 <= len(animation) <= frames
    assert len(animation.frames()) == len(list(animation.frames())) == len(animation)
    decisions = [moment.decision for moment in animation.moments]
    assert decisions == sorted(decisions)
    assert decisions[0] == 0
    assert decisions[-1] == animation.solution.stats.decisions


def test_a_short_solve_has_a_frame_for_every_decision():
    animation = animate(Problem(TileSet.load("pipes"), SquareGrid(3, 3)), seed=1, frames=100)
    decisions = [moment.decision for moment in animation.moments]
    assert decisions[:3] == [0, 1, 2]


def test_moments_merge_to_the_same_wave():
    words = np.arange(5, dtype=np.uint64)[:, None]
    first = FrameDelta(np.array([0, 2]), words[[0, 2]], (7,), 1)
    second = FrameDelta(np.array([2, 4]), words[[1, 4]], (8, 7), 2)
    merged = first.merge(second)
    assert merged.cells.tolist() == [0, 2, 4]
    assert merged.words[:, 0].tolist() == [0, 1, 4]
    assert merged.conflicts == (8, 7)
    assert merged.decision == 2


def test_a_reel_keeps_the_latest_conflicts_and_not_too_many():
    reel = FrameSampler(np.ones((3, 1), np.uint64), 5)
    for cell in range(100):
        reel.mark_conflict(cell, 1)
    *_, last = reel.finish(np.full((3, 1), 2, np.uint64), 1)
    assert last.conflicts == tuple(range(100 - MOST_CONFLICTS, 100))
    assert len(reel.moments) == 1  # to look at it does not end it


def test_conflicts_are_marked_when_they_happen():
    problem = Problem(CASTLE, SquareGrid(10, 10))
    for seed in range(30):
        solver = Solver(problem, seed, order="entropy")
        recording, told = Recording(solver), []
        solver.listen(
            lambda event, told=told: told.append(event.cell) if event.kind == "contradiction" else None
        )
        solver.run()
        if told:
            break
    marked = [cell for moment in recording.animation().moments for cell in moment.conflicts]
    assert marked
    assert set(marked) <= set(told)
    frames = recording.animation().frames(tile_size=20)
    assert any((np.asarray(frame) == (255, 32, 32)).all(axis=-1).any() for frame in frames)


def test_a_solve_that_was_not_finished_can_be_seen_too(tmp_path):
    solver = Solver(PIPES, seed=2)
    recording = Recording(solver, frames=10)
    with pytest.raises(OutOfBudget):
        solver.run(budget=8)
    animation = recording.animation()
    assert animation.solution is None
    *_, last = animation.frames(tile_size=4)
    assert (np.asarray(last) == on_white(draw(solver.partial(), tile_size=4))).all()
    solver.run()
    recording.stop()
    assert recording.animation().solution is not None


def test_what_cannot_be_solved_cannot_be_animated():
    chess = TileSet([Tile("white", ("a", "a", "b", "b")), Tile("black", ("b", "b", "a", "a"))])
    with pytest.raises(Contradiction):
        animate(Problem(chess, SquareGrid(3, 3, wraps=True)))
    with pytest.raises(OutOfBudget):
        animate(PIPES, budget=3)


def test_graphs_move_as_well():
    rules = Rules(["x", "y"], [Relation.from_allowed(np.ones((2, 2), bool))] * 2)
    animation = animate(Problem(rules, Graph([(0, 1), (1, 2), (2, 0)])), frames=5)
    *_, last = animation.frames(tile_size=6)
    assert (np.asarray(last) == on_white(draw(animation.solution, tile_size=6))).all()


# --- files --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def movie():
    return animate(PIPES, seed=5, frames=16)


def read(path):
    """Frames as RGB, and how long each is shown."""
    with Image.open(path) as file:
        frames, times = [], []
        for number in range(file.n_frames):
            file.seek(number)
            file.load()
            frames.append(np.asarray(file.convert("RGB")))
            times.append(file.info["duration"])
        return frames, times


@pytest.mark.parametrize("ending", [".gif", ".apng", ".png", ".webp"])
def test_a_file_holds_every_frame_and_its_time(movie, tmp_path, ending):
    path = tmp_path / f"solve{ending}"
    movie.save(path, milliseconds=40, hold=1500, tile_size=6)
    frames, times = read(path)
    assert len(frames) == len(movie)
    assert [round(time) for time in times] == [40] * (len(movie) - 1) + [1500]
    drawn = [np.asarray(frame) for frame in movie.frames(tile_size=6)]
    if ending == ".gif":  # fewer colours
        assert np.mean([np.abs(a.astype(int) - b).mean() for a, b in zip(frames, drawn, strict=True)]) < 4
    else:
        assert all((a == b).all() for a, b in zip(frames, drawn, strict=True))
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("ending", [".gif", ".apng"])
def test_the_same_seed_gives_the_same_bytes(tmp_path, ending):
    for name in ("one", "two"):
        animate(PIPES, seed=9, frames=12).save(tmp_path / (name + ending), tile_size=6)
    assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes()


def test_few_colours_are_kept_as_they_are(tmp_path):
    animation = animate(PROBLEMS["cube"], seed=3, frames=8)
    animation.save(tmp_path / "x.gif", tile_size=12)
    assert (read(tmp_path / "x.gif")[0][-1] == on_white(draw(animation.solution, tile_size=12))).all()


def image_flags(gif):
    """The byte of flags of every image in a GIF file; the highest bit means a palette of its own."""
    place = 13 + 3 * 2 ** (1 + (gif[10] & 7))
    while gif[place : place + 1] != b";":
        if gif[place] == 0x2C:  # an image
            yield gif[place + 9]
            place += 11
        else:  # an extension
            place += 2
        while gif[place]:  # blocks, each led by its length
            place += 1 + gif[place]
        place += 1


def test_a_gif_has_one_palette_for_all_frames(movie, tmp_path):
    movie.save(tmp_path / "x.gif", tile_size=6)
    flags = list(image_flags((tmp_path / "x.gif").read_bytes()))
    assert len(flags) == len(movie)
    assert not any(flag & 0x80 for flag in flags)


def test_a_palette_finds_the_nearest_colour():
    palette = Palette(np.array([[0, 0, 0], [255, 0, 0], [255, 255, 255]], np.uint8))
    frame = Image.fromarray(np.array([[[10, 3, 0], [200, 40, 30], [250, 250, 240]]], np.uint8))
    assert np.asarray(palette.apply(frame)).tolist() == [[0, 1, 2]]
    noise = np.random.default_rng(1).integers(0, 256, (64, 64, 3)).astype(np.uint8)
    many = Palette.of([Image.fromarray(noise)], 1)
    assert MOST_COLOURS // 2 < len(many.colours) <= MOST_COLOURS
    assert len({tuple(colour) for colour in many.colours.tolist()}) == len(many.colours)


def test_a_size_that_suits_a_page_is_chosen(movie):
    assert max(movie.frames().size) <= 768
    assert min(movie.frames().size) >= 144
    assert movie.frames(tile_size=3).size == (3 * SIDE, 3 * SIDE)
    assert movie.frames(tile_size=3, scale=2).size == (6 * SIDE, 6 * SIDE)


def test_the_background_shows_where_there_is_no_cell():
    *_, last = animate(PROBLEMS["pointy"], frames=4).frames(background="#102030")
    assert last.getpixel((0, 0)) == (16, 32, 48)


@pytest.mark.parametrize(
    "options",
    [
        {"milliseconds": 0},
        {"milliseconds": 1.5},
        {"hold": -1},
        {"hold": 10**9},
        {"background": "no such colour"},
        {"show": "x"},
        {"tile_size": 0},
        {"scale": 0},
    ],
)
def test_senseless_options_are_refused_and_nothing_is_written(movie, tmp_path, options):
    with pytest.raises(ConfigError):
        movie.save(tmp_path / "x.gif", **options)
    assert os.listdir(tmp_path) == []


def test_senseless_frame_counts_are_refused():
    for frames in (2, 0, -1, 1.5):
        with pytest.raises(ConfigError, match="frames must be a whole number"):
            animate(PIPES, frames=frames)


def test_too_many_pixels_are_refused(movie):
    with pytest.raises(ConfigError, match="smaller tile_size"):
        movie.frames(tile_size=8000 // SIDE)


def test_an_unknown_ending_lists_the_known_ones(movie, tmp_path):
    with pytest.raises(ConfigError, match=r"\.apng, \.gif, \.mp4, \.png, \.webp"):
        movie.save(tmp_path / "x.avi")


def test_a_missing_folder_is_named(movie, tmp_path):
    with pytest.raises(ConfigError, match="there is no folder"):
        movie.save(tmp_path / "no" / "x.gif")


def test_without_ffmpeg_a_film_says_what_to_install(movie, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(PluginError, match=r'pip install "wavefold\[export\]"'):
        movie.save(tmp_path / "x.mp4")
    assert os.listdir(tmp_path) == []


class FakeFfmpeg:
    """Takes frames as imageio-ffmpeg does, and writes down how many there were."""

    def write_frames(self, path, size, **options):
        self.frames, self.size, self.options = [], size, options
        with open(path, "wb") as file:
            file.write(b"film")

        def take():
            while True:
                self.frames.append((yield))

        return take()


def test_a_film_has_even_sides_and_its_last_frame_is_held(movie, tmp_path, monkeypatch):
    ffmpeg = FakeFfmpeg()
    monkeypatch.setattr("wavefold.render.animation_files.import_module", lambda name: ffmpeg)
    movie.save(tmp_path / "x.mp4", milliseconds=50, hold=500, tile_size=5)
    side = 5 * SIDE + 5 * SIDE % 2
    assert ffmpeg.size == (side, side)
    assert ffmpeg.options["fps"] == 20
    assert len(ffmpeg.frames) == len(movie) - 1 + 10
    assert {len(frame) for frame in ffmpeg.frames} == {side * side * 3}
    assert (tmp_path / "x.mp4").read_bytes() == b"film"


def test_a_film_that_fails_is_one_sentence(movie, tmp_path, monkeypatch):
    class Broken(FakeFfmpeg):
        def write_frames(self, path, size, **options):
            raise OSError("no such codec\nand a long log")
            yield

    monkeypatch.setattr("wavefold.render.animation_files.import_module", lambda name: Broken())
    with pytest.raises(PluginError, match=r"ffmpeg failed: no such codec$"):
        movie.save(tmp_path / "x.mp4")
    assert os.listdir(tmp_path) == []


def test_an_animation_shows_itself_as_a_picture_that_moves(movie, tmp_path):
    (tmp_path / "x.png").write_bytes(movie._repr_png_())
    with Image.open(tmp_path / "x.png") as file:
        assert file.n_frames == len(movie)
        assert max(file.size) <= 512


def test_one_frame_and_one_decision_are_counted_in_the_singular():
    problem = Problem(TileSet([Tile("x", ("a",) * 4), Tile("y", ("a",) * 4)]), SquareGrid(1, 1))
    movie = animate(problem)
    assert repr(movie) == f"Animation({len(movie)} frames, 1 decision)"
