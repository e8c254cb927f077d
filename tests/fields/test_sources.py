"""What a field can come from, on every kind of topology."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from wavefold.errors import ConfigError, FormatError
from wavefold.fields import Fields, Noise
from wavefold.topology import CubeGrid, Graph, HexGrid, SquareGrid

RING = Graph([("a", "b"), ("b", "c"), ("c", "a")])


# --- noise -------------------------------------------------------------------------------------------


def test_noise_on_squares_is_sampled_at_column_and_row():
    noise = Noise(0.1, seed=1)
    values = Fields(a=noise).at(SquareGrid(5, 4))["a"].reshape(4, 5)
    assert values[2, 3] == noise.sample(3, 2)


def test_noise_on_cubes_is_noise_in_space():
    noise = Noise(0.3, seed=1)
    values = Fields(a=noise).at(CubeGrid(5, 4, 3))["a"].reshape(3, 4, 5)
    assert values[1, 2, 3] == noise.sample(3, 2, 1)


@pytest.mark.parametrize("layout", ["pointy", "flat"])
@pytest.mark.parametrize(
    "grid", [lambda layout: HexGrid(3, layout), lambda layout: HexGrid.rectangle(4, 5, layout)]
)
def test_hexagons_lie_one_step_from_every_neighbour(layout, grid):
    grid = grid(layout)
    fields = Fields(x=lambda x, y: x, y=lambda x, y: y)
    values = fields.at(grid)
    for direction in grid.graph().neighbour.T:
        here = np.flatnonzero(direction >= 0)
        there = direction[here]
        steps = np.hypot(values["x"][there] - values["x"][here], values["y"][there] - values["y"][here])
        assert np.allclose(steps, 1, atol=1e-14)
    middle = np.array([grid.centre(cell) for cell in range(grid.cell_count)]).T
    assert np.allclose([values["x"], values["y"]], middle / np.sqrt(3))  # as drawn, but smaller


@given(st.integers(-(2**39), 2**39), st.integers(-(2**39), 2**39))
def test_a_part_of_a_world_has_the_worlds_values(x, y):
    fields = Fields(a=Noise(0.03, octaves=3, seed=2), b=lambda x, y: x + 2 * y)
    whole = fields.at(SquareGrid(6, 5), origin=(x, y))
    part = fields.at(SquareGrid(2, 3), origin=(x + 4, y + 1))
    for name in fields.names:
        assert (whole[name].reshape(5, 6)[1:4, 4:] == part[name].reshape(3, 2)).all()
    hexes = fields.at(HexGrid(2), origin=(x, y))["a"]
    assert hexes[9] == fields.at(HexGrid(0), origin=(x, y))["a"][0]


def test_noise_needs_places():
    with pytest.raises(ConfigError, match="field 'a' needs positions"):
        Fields(a=Noise(0.1)).at(RING)


# --- arrays ------------------------------------------------------------------------------------------


def test_an_array_has_a_value_for_every_cell():
    grid = SquareGrid(3, 2)
    array = np.arange(6).reshape(2, 3)
    assert Fields(a=array).at(grid)["a"].tolist() == [0, 1, 2, 3, 4, 5]
    assert Fields(a=array.ravel()).at(grid)["a"].tolist() == [0, 1, 2, 3, 4, 5]
    assert Fields(a=array.tolist()).at(grid)["a"].tolist() == [0, 1, 2, 3, 4, 5]
    assert Fields(a=array > 2).at(grid)["a"].tolist() == [0, 0, 0, 1, 1, 1]
    assert Fields(a=[5, 6, 7]).at(RING)["a"].tolist() == [5, 6, 7]
    assert Fields(a=np.arange(24).reshape(2, 3, 4)).at(CubeGrid(4, 3, 2))["a"].tolist() == list(range(24))


def test_places_without_a_cell_are_left_out():
    mask = np.array([[True, False, True], [False, True, True]])
    array = np.arange(6).reshape(2, 3)
    assert Fields(a=array).at(SquareGrid(3, 2, mask=mask))["a"].tolist() == [0, 2, 4, 5]
    disk = HexGrid(1)
    assert Fields(a=np.arange(9).reshape(3, 3)).at(disk)["a"].tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_later_changes_to_an_array_change_nothing():
    array = np.zeros((2, 3))
    fields = Fields(a=array)
    array[:] = 1
    assert fields.at(SquareGrid(3, 2))["a"].tolist() == [0] * 6


@pytest.mark.parametrize("shape", [(3, 2), (5,), (7,), (2, 3, 1)])
def test_an_array_of_another_shape_is_refused(shape):
    with pytest.raises(ConfigError, match=r"field 'a' has shape .* needs \(2, 3\) or \(6,\)"):
        Fields(a=np.zeros(shape)).at(SquareGrid(3, 2))
    with pytest.raises(ConfigError, match=r"field 'a' has shape .* needs \(3,\), one number per cell"):
        Fields(a=np.zeros(shape)).at(RING)


def test_in_a_world_an_array_ends():
    fields = Fields(a=np.arange(12).reshape(3, 4))
    assert fields.at(SquareGrid(2, 2), origin=(1, 1))["a"].tolist() == [5, 6, 9, 10]
    with pytest.raises(ConfigError, match="field 'a' has no value at x=4, y=0, only for x from 0 to 3"):
        fields.at(SquareGrid(2, 2), origin=(3, 0))
    with pytest.raises(ConfigError, match="field 'a' has no value at x=-1"):
        fields.at(SquareGrid(2, 2), origin=(-1, 0))
    with pytest.raises(ConfigError, match="no values at places with 2 coordinates"):
        Fields(a=np.arange(4)).at(SquareGrid(2, 2), origin=(0, 0))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[1, 2], [3]], "all rows of an array must have the same length"),
        ([[1, np.nan]], r"field 'a' is nan at \[0, 1\]; it must be a finite number"),
        ([["x", "y"]], "field 'a' must have numbers"),
        (np.zeros((1, 1, 1, 1)), "field 'a' has shape"),
        (None, "field 'a' must be noise, an array, a function"),
        (True, "field 'a' must be noise"),
    ],
)
def test_values_that_are_not_fields_are_refused(given, message):
    with pytest.raises(ConfigError, match=message):
        Fields(a=given)


def test_a_number_is_the_same_everywhere():
    assert Fields(a=0.25).at(SquareGrid(2, 1))["a"].tolist() == [0.25, 0.25]
    assert Fields(a=np.int8(3)).at(HexGrid(0))["a"].tolist() == [3]


# --- functions ---------------------------------------------------------------------------------------


def test_a_function_is_called_once_if_it_takes_arrays():
    calls = []

    def slope(x, y):
        calls.append(np.shape(x))
        return x + 10 * y

    assert Fields(a=slope).at(SquareGrid(3, 2))["a"].tolist() == [0, 1, 2, 10, 11, 12]
    assert calls == [(6,)]


def test_a_function_that_decides_is_called_for_each_cell():
    calls = []

    def step(x, y):
        calls.append((x, y))
        return 1 if x > 1 else 0.5

    values = Fields(a=step).at(SquareGrid(3, 2))["a"]
    assert values.tolist() == [0.5, 0.5, 1, 0.5, 0.5, 1]
    assert calls[1:] == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
    assert all(type(each) is int for each in calls[1])  # so that it can look things up in lists


def test_functions_of_all_kinds_work_on_a_single_cell():
    for function in (lambda x, y: x + y, lambda x, y: 1 if x else 0, lambda x, y: [0.0, 1.0][x]):
        assert Fields(a=function).at(SquareGrid(1, 1))["a"].tolist() == [0]


def test_a_function_may_answer_with_one_number_for_all():
    assert Fields(a=lambda x, y: 2).at(SquareGrid(2, 2))["a"].tolist() == [2, 2, 2, 2]


def test_a_function_cannot_change_the_values_of_others():
    def greedy(x, y):
        x += 100
        return x

    fields = Fields(a=greedy, b=lambda x, y: x)
    assert fields.at(SquareGrid(2, 1))["b"].tolist() == [0, 1]
    assert fields.at(SquareGrid(2, 1))["a"].tolist() == [100, 101]


def test_a_function_has_three_arguments_on_cubes_and_the_cell_on_graphs():
    values = Fields(a=lambda x, y, z: x + 10 * y + 100 * z).at(CubeGrid(2, 2, 2))["a"]
    assert values.tolist() == [0, 1, 10, 11, 100, 101, 110, 111]
    assert Fields(a=ord).at(RING)["a"].tolist() == [97, 98, 99]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x, y: 1 / (x - 1), "field 'a' is inf at column 1, row 0"),
        (lambda x, y: 1 / (x - 1) if y < 5 else 0, "field 'a' failed at column 1, row 0: ZeroDivisionError"),
        (lambda x: x, "field 'a' failed at column 0, row 0: TypeError"),
        (lambda x, y: None, "field 'a' returned None at column 0, row 0; it must return a number"),
        (lambda x, y: "high" if x else 0, "field 'a' returned 'high' at column 1, row 0"),
        (lambda x, y: [x, y], "field 'a' returned .* at column 0, row 0"),
        (lambda x, y: x + 1j, "field 'a' returned 1j at column 0, row 0"),
    ],
)
def test_an_error_in_a_function_is_reported_with_the_cell(function, message):
    with pytest.raises(ConfigError, match=message):
        Fields(a=function).at(SquareGrid(3, 2))


def test_in_a_world_a_wrong_value_is_reported_with_the_cell_of_the_world():
    with pytest.raises(ConfigError, match=r"field 'a' is inf at \(7, -3\) of the world"):
        Fields(a=lambda x, y: 1 / (x - 7)).at(SquareGrid(3, 2), origin=(5, -3))


# --- any place ---------------------------------------------------------------------------------------


def test_sources_can_be_sampled_at_any_place():
    fields = Fields(
        noise=Noise(0.1), array=np.arange(12).reshape(3, 4), step=lambda x, y: 1 if x > 1 else 0, same=3
    )
    x, y = np.array([[0.0, 1.4], [2.5, 3.49]]), np.array([[0.0, 1.5], [2.0, -0.5]])
    assert (fields.sample("noise", x, y) == Noise(0.1).sample(x, y)).all()
    assert fields.sample("array", x, y).tolist() == [[0, 9], [11, 3]]
    assert fields.sample("step", x, y).tolist() == [[0, 1], [1, 1]]
    assert fields.sample("same", 1, 2) == 3
    assert Fields(a=np.arange(8).reshape(2, 2, 2)).sample("a", 1, 0, 1) == 5
    for place in ((4, 0), (0, float("nan")), (1e30, 0)):
        with pytest.raises(ConfigError, match="field 'array' has no value at"):
            fields.sample("array", *place)
    with pytest.raises(ConfigError, match="field 'step' failed at x=1, y=2: TypeError"):
        Fields(step=lambda x: x).sample("step", 1, 2)


STEPS = np.array([[0, 51, 102], [153, 204, 255]], np.uint8)


def values(picture, grid=SquareGrid(3, 2)):  # noqa: B008
    return Fields(a=picture).at(grid)["a"]


@pytest.mark.parametrize("kind", ["L", "RGB", "RGBA", "LA", "P"])
def test_a_grey_pixel_is_a_number_from_0_to_1_in_every_kind_of_file(kind, tmp_path):
    path = tmp_path / "height.png"
    Image.fromarray(STEPS).convert(kind).save(path)
    expected = (STEPS / 255.0).ravel()
    assert (values(path) == expected).all()
    assert (values(str(path)) == expected).all()
    assert (values(Image.open(path)) == expected).all()


def test_sixteen_bits_are_kept(tmp_path):
    deep = np.array([[0, 1, 257], [32768, 65534, 65535]], np.uint16)
    Image.fromarray(deep).save(tmp_path / "deep.png")
    assert (values(tmp_path / "deep.png") == (deep / 65535.0).ravel()).all()
    assert (values(Image.fromarray(deep.astype(np.int32))) == (deep / 65535.0).ravel()).all()


def test_black_and_white_is_0_and_1():
    assert values(Image.fromarray(STEPS > 100)).tolist() == [0, 0, 1, 1, 1, 1]


def test_colours_count_by_their_luminance():
    colours = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255]]], np.uint8)
    assert values(Image.fromarray(colours), SquareGrid(3, 1)).tolist() == [0.299, 0.587, 0.114]


def test_a_picture_is_stretched_over_the_map():
    steps = (STEPS / 255.0).tolist()
    double = values(Image.fromarray(STEPS), SquareGrid(6, 4)).reshape(4, 6)
    assert double.tolist() == np.repeat(np.repeat(steps, 2, axis=0), 2, axis=1).tolist()
    large = Image.fromarray(np.repeat(np.repeat(STEPS, 5, axis=0), 5, axis=1))
    assert values(large).reshape(2, 3).tolist() == steps
    assert values(large, SquareGrid(1, 1)) == 204 / 255


def test_a_mask_does_not_move_the_picture():
    mask = np.array([[False, False, True], [True, True, False]])
    assert values(Image.fromarray(STEPS), SquareGrid(3, 2, mask=mask)).tolist() == [0.4, 0.6, 0.8]
    grid = HexGrid.rectangle(6, 4)
    whole = values(Image.fromarray(STEPS), grid)
    exists = grid.to_array(np.arange(24), missing=-1)
    half = HexGrid.rectangle(6, 4, mask=exists >= 12)
    assert (values(Image.fromarray(STEPS), half) == whole[12:]).all()


def test_hexagons_take_the_pixel_below_their_middle():
    wide = Image.fromarray(np.arange(7, dtype=np.uint8)[None])
    grid = HexGrid(3)
    across = np.array([grid.centre(cell)[0] for cell in range(grid.cell_count)])
    expected = np.floor(np.round(2 * across / np.sqrt(3)) / 2 + 3.5)  # middles lie at halves
    assert (values(wide, grid) == expected / 255.0).all()


def test_every_layer_of_a_cube_has_the_same_picture():
    layers = values(Image.fromarray(STEPS), CubeGrid(3, 2, 2)).reshape(2, -1)
    assert (layers == (STEPS / 255.0).ravel()).all()


def test_in_a_world_a_picture_has_a_pixel_per_cell_and_ends():
    fields = Fields(a=Image.fromarray(STEPS))
    assert fields.at(SquareGrid(1, 2), origin=(1, 0))["a"].tolist() == [0.2, 0.8]
    assert fields.at(CubeGrid(1, 1, 2), origin=(1, 0, 40))["a"].tolist() == [0.2, 0.2]
    assert fields.sample("a", 2.2, 0.9) == 1.0
    with pytest.raises(ConfigError, match="field 'a' has no value at x=3, y=0"):
        fields.at(SquareGrid(1, 2), origin=(3, 0))


def test_a_picture_needs_places():
    with pytest.raises(ConfigError, match="field 'a' needs positions"):
        values(Image.fromarray(STEPS), Graph([(1, 2)]))


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


@pytest.mark.parametrize("side", [9000, 60000, 2**31 - 1])
def test_a_small_file_that_claims_a_huge_picture_is_refused(side, tmp_path):
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    content = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    (tmp_path / "bomb.png").write_bytes(b"\x89PNG\r\n\x1a\n" + content)
    with pytest.raises(FormatError, match=r"field 'a': .*bomb\.png"):
        Fields(a=tmp_path / "bomb.png")


def test_files_that_are_not_pictures_are_refused_with_their_path(tmp_path):
    path = tmp_path / "height.png"
    with pytest.raises(FormatError, match=r"field 'a': .*height\.png: no such file"):
        Fields(a=path)
    path.write_text("no picture")
    with pytest.raises(FormatError, match=r"height\.png is not a picture"):
        Fields(a=path)
    with pytest.raises(FormatError, match="cannot be read as a picture"):
        Fields(a="zero\0byte.png")
    with pytest.raises(FormatError, match="is not a file; expected a picture"):
        Fields(a=tmp_path)


def test_every_truncated_file_is_refused_or_whole(tmp_path):
    noisy = np.random.default_rng(0).integers(0, 256, (40, 40)).astype(np.uint8)
    Image.fromarray(noisy).save(tmp_path / "whole.png")
    content = (tmp_path / "whole.png").read_bytes()
    for length in range(0, len(content), 97):
        (tmp_path / "part.png").write_bytes(content[:length])
        with pytest.raises(FormatError, match=r"part\.png"):
            Fields(a=tmp_path / "part.png")
    with (
        Image.open(tmp_path / "part.png") as broken,
        pytest.raises(FormatError, match="field 'a': the picture is damaged"),
    ):
        Fields(a=broken)


def test_pixels_that_are_not_grey_values_are_refused():
    with pytest.raises(FormatError, match="pixels in mode 'F'"):
        Fields(a=Image.fromarray(STEPS.astype(np.float32)))
    with pytest.raises(FormatError, match="below 0 or above 65535"):
        Fields(a=Image.fromarray(STEPS.astype(np.int32) * 1000))
    with pytest.raises(FormatError, match="0 x 3 pixels"):
        Fields(a=Image.new("L", (0, 3)))
