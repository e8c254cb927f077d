"""Height maps from files and Pillow images."""

import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from wavefold.errors import ConfigError, FormatError
from wavefold.fields import Fields
from wavefold.topology import CubeGrid, Graph, HexGrid, SquareGrid

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
    with pytest.raises(ConfigError, match="field 'a' needs to know where cells lie"):
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
    with pytest.raises(FormatError, match=r"field 'a': .*height\.png: there is no such file"):
        Fields(a=path)
    path.write_text("no picture")
    with pytest.raises(FormatError, match=r"height\.png is not a picture"):
        Fields(a=path)
    with pytest.raises(FormatError, match="cannot be read as a picture"):
        Fields(a="zero\0byte.png")
    with pytest.raises(FormatError, match="cannot be read as a picture"):
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
    with pytest.raises(FormatError, match="pixels of kind 'F'"):
        Fields(a=Image.fromarray(STEPS.astype(np.float32)))
    with pytest.raises(FormatError, match="outside 0 to 65535"):
        Fields(a=Image.fromarray(STEPS.astype(np.int32) * 1000))
    with pytest.raises(FormatError, match="0 x 3 pixels"):
        Fields(a=Image.new("L", (0, 3)))
