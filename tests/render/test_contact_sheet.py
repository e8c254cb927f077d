"""Contact sheets, and maps that show themselves in notebooks."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from wavefold.errors import ConfigError
from wavefold.kernels.host.bitsets import pack_bits
from wavefold.render import canvas, contact_sheet, draw
from wavefold.render.draw import GAP_PIXELS
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Partial, Solution
from wavefold.solver.statistics import Statistics
from wavefold.tiles import Tile, TileSet
from wavefold.topology import SquareGrid

TILES = TileSet(
    [
        Tile("red", ("a",) * 4, picture=np.full((8, 8, 3), (255, 0, 0), np.uint8)),
        Tile("blue", ("a",) * 4, picture=np.full((8, 8, 3), (0, 0, 255), np.uint8)),
    ]
)


def solution(pattern=0, width=10, height=5, seed=0):
    problem = Problem(TILES, SquareGrid(width, height))
    return Solution(problem, np.full(width * height, pattern), Statistics(), seed)


def shown(this):
    return Image.open(BytesIO(this._repr_png_()))


def test_maps_stand_side_by_side_in_rows():
    sheet = np.asarray(
        contact_sheet([solution(number % 2) for number in range(4)], tile_size=8, labels=False)
    )
    step = 40 + 1 + GAP_PIXELS
    for number in range(4):
        row, column = divmod(number, 2)
        colour = (0, 0, 255) if number % 2 else (255, 0, 0)
        assert tuple(sheet[GAP_PIXELS + row * step, GAP_PIXELS + column * (80 + GAP_PIXELS), :3]) == colour
    assert sheet.shape == (2 * step + GAP_PIXELS, 2 * (80 + GAP_PIXELS) + GAP_PIXELS, 4)
    assert (sheet[0] == 255).all()


@pytest.mark.parametrize(
    ("count", "columns", "across"), [(5, None, 3), (5, 5, 5), (5, 9, 5), (5, 1, 1), (1, None, 1)]
)
def test_columns_are_as_many_as_asked_for(count, columns, across):
    sheet = contact_sheet([solution() for _ in range(count)], columns, tile_size=8)
    assert sheet.width == across * (80 + GAP_PIXELS) + GAP_PIXELS


def test_labels_tell_seeds_or_what_they_are_told_to():
    plain = contact_sheet([solution(seed=7)], labels=False)
    seven, eight = (contact_sheet([solution(seed=seed)]) for seed in (7, 8))
    named = contact_sheet([solution(seed=8)], labels=["seed 7"])
    assert seven.height > plain.height
    assert seven.tobytes() == named.tobytes() != eight.tobytes()
    contact_sheet([solution()], labels=["日本 a"])  # letters the font does not have


def test_a_sheet_takes_a_generator_maps_of_many_sizes_and_unfinished_ones():
    wave = Partial(Problem(TILES, SquareGrid(2, 2)), pack_bits(np.ones((4, 2), bool)))
    maps = [solution(), solution(width=200, height=300), wave]
    sheet = contact_sheet((each for each in maps), columns=3, show="entropy")
    assert sheet.width == 3 * (200 + GAP_PIXELS) + GAP_PIXELS  # 300 rows fit in 320 pixels, one each
    assert sheet.height < 320 + 3 * GAP_PIXELS + 20


@pytest.mark.parametrize(
    ("maps", "options"),
    [
        ([], {}),
        ([3], {}),
        ([solution()], {"columns": 0}),
        ([solution()], {"labels": ["a", "b"]}),
        ([solution()], {"labels": "a"}),
        ([solution()], {"tile_size": 0}),
    ],
)
def test_senseless_sheets_are_refused(maps, options):
    with pytest.raises(ConfigError):
        contact_sheet(maps, **options)


def test_too_large_a_sheet_is_refused():
    with pytest.raises(ConfigError, match="pixels"):
        contact_sheet([solution()] * 40, tile_size=200, columns=1000)


def test_a_solution_shows_itself_as_it_is_drawn():
    this = solution(1, width=40, height=30)
    assert (np.asarray(shown(this)) == np.asarray(draw(this))).all()


def test_large_maps_are_shown_small_and_small_ones_enlarged():
    assert shown(solution(width=400, height=20)).size == (800, 40)
    assert max(shown(solution(width=1500, height=3)).size) == 1024
    assert shown(solution(width=3, height=2)).size == (240, 160)


def test_a_partial_shows_and_saves_itself(tmp_path):
    wave = Partial(Problem(TILES, SquareGrid(2, 1)), pack_bits(np.array([[True, True], [True, False]])))
    assert shown(wave).getpixel((0, 0)) == (128, 0, 128, 255)
    assert wave.image().size == (16, 8)
    wave.save(tmp_path / "wave.png", show="entropy", tile_size=20)
    with Image.open(tmp_path / "wave.png") as file:
        assert file.size == (40, 20)
    wave.save(tmp_path / "wave.svg")
    with pytest.raises(ConfigError, match=r"unknown ending; known: .*\.png, \.svg"):
        wave.save(tmp_path / "wave.glb")


def test_what_is_too_large_to_be_shown_is_not_shown(monkeypatch):
    monkeypatch.setattr(canvas, "MOST_PIXELS", 100)
    assert solution()._repr_png_() is None
