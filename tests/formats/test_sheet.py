"""Pictures in files: cut from a sheet, packed into one, and files that are not what they seem."""

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import wavefold as wf
from wavefold.formats.sheet import MOST_PIXELS, Sheet, add_alpha, pack, read_picture, resolve_beside


def noise(seed, height=3, width=5):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 4), np.uint8)


@given(st.lists(st.integers(0, 12), min_size=1, max_size=40))
def test_what_is_packed_can_be_cut_again(seeds):
    pictures = [noise(seed) for seed in seeds]
    sheet, cells = pack(pictures)
    assert all((sheet.cut(cell) == picture).all() for cell, picture in zip(cells, pictures, strict=True))
    assert len(set(cells)) == len(set(seeds))
    assert sheet.columns * sheet.rows < len(set(seeds)) + sheet.columns


@given(*[st.integers(0, 3)] * 2, *[st.integers(1, 4)] * 4)
def test_cells_lie_where_margin_and_spacing_say(margin, spacing, width, height, columns, rows):
    across = 2 * margin + columns * (width + spacing) - spacing
    down = 2 * margin + rows * (height + spacing) - spacing
    sheet = Sheet(noise(0, down, across), (width, height), margin, spacing)
    assert (sheet.columns, sheet.rows) == (columns, rows)
    x, y = margin + (columns - 1) * (width + spacing), margin + (rows - 1) * (height + spacing)
    assert (sheet.cut((columns - 1, rows - 1)) == sheet.pixels[y : y + height, x : x + width]).all()


@pytest.mark.parametrize("cell", [(2, 0), (0, 1), (-1, 0), (0, -1)])
def test_a_cell_outside_is_refused_with_what_there_is(cell):
    with pytest.raises(wf.FormatError, match=r"outside the sheet of 2 columns and 1 rows"):
        Sheet(noise(0, 5, 11), (5, 5)).cut(cell)


def test_a_sheet_smaller_than_a_cell_has_none():
    assert Sheet(noise(0, 2, 2), (5, 5), margin=7).columns == 0


def test_what_was_cut_does_not_keep_the_sheet_alive():
    assert Sheet(noise(0), (1, 1)).cut((0, 0)).base is None


@pytest.mark.parametrize("name", ["lawn.png", "art/lawn.PNG", "./a b.png"])
def test_pictures_stand_beside_the_file_or_deeper(name):
    assert resolve_beside(Path("sets/garden.toml"), name) == Path("sets") / name


@pytest.mark.parametrize(
    "name",
    [
        *("", "/etc/lawn.png", "../lawn.png", "art/../../lawn.png", "..\\lawn.png", "C:lawn.png"),
        *("lawn.gif", "lawn", "a\0.png", ".png/..", "//server/lawn.png", "https://example.org/lawn.png"),
    ],
)
def test_paths_that_lead_elsewhere_are_refused(name):
    with pytest.raises(wf.FormatError, match="a PNG file in the same folder"):
        resolve_beside(Path("garden.toml"), name)


def test_links_count_as_what_they_lead_to(tmp_path):
    folder, elsewhere = tmp_path / "set", tmp_path / "elsewhere"
    (folder / "art").mkdir(parents=True)
    elsewhere.mkdir()
    for path in (folder / "art" / "lawn.png", elsewhere / "lawn.png"):
        Image.new("L", (2, 2)).save(path)
    (folder / "inside.png").symlink_to(folder / "art" / "lawn.png")
    assert resolve_beside(folder / "garden.toml", "inside.png") == folder / "inside.png"
    (folder / "link.png").symlink_to(elsewhere / "lawn.png")
    (folder / "linked").symlink_to(elsewhere, target_is_directory=True)
    (folder / "loop.png").symlink_to(folder / "loop.png")
    for name in ("link.png", "linked/lawn.png"):
        with pytest.raises(wf.FormatError, match=f"a PNG file in the same folder.*, not '{name}'"):
            resolve_beside(folder / "garden.toml", name)
    with pytest.raises(wf.FormatError, match="does not exist"):
        read_picture(resolve_beside(folder / "garden.toml", "loop.png"))


def test_a_tile_set_of_links_has_its_pictures_where_they_lead(tmp_path):
    """Installers may link every file of a package to their cache."""
    (tmp_path / "cache").mkdir()
    (tmp_path / "package").mkdir()
    for name in ("garden.toml", "garden.png"):
        (tmp_path / "cache" / name).write_bytes(b"")
        (tmp_path / "package" / name).symlink_to(tmp_path / "cache" / name)
    found = resolve_beside(tmp_path / "package" / "garden.toml", "garden.png")
    assert found == tmp_path / "package" / "garden.png"


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_pictures_of_every_common_kind_are_read(tmp_path, mode):
    Image.new(mode, (3, 2), 1).save(tmp_path / "lawn.png")
    assert read_picture(tmp_path / "lawn.png").shape == (2, 3, 4)


def test_invisible_colours_are_kept(tmp_path):
    pixels = np.array([[[10, 20, 30, 0], [40, 50, 60, 7]]], np.uint8)
    Image.fromarray(pixels).save(tmp_path / "lawn.png")
    assert (read_picture(tmp_path / "lawn.png") == pixels).all()


def png(width, height):
    """A PNG file of some seventy bytes that says it is this large."""
    parts = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0), b"IDAT" + zlib.compress(b"\0")
    chunks = [struct.pack(">I", len(each) - 4) + each + struct.pack(">I", zlib.crc32(each)) for each in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + b"\0\0\0\0IEND\xaeB`\x82"


@pytest.mark.parametrize(("width", "height"), [(4097, 4096), (100_000, 100_000), (2**31 - 1, 2**31 - 1)])
def test_a_file_that_would_fill_the_memory_is_refused(tmp_path, width, height):
    (tmp_path / "bomb.png").write_bytes(png(width, height))
    with pytest.raises(wf.FormatError, match=r"bomb\.png' (has [\d,]+ x|is not a complete PNG file)"):
        read_picture(tmp_path / "bomb.png")


def test_pictures_together_may_not_be_too_large_either(tmp_path):
    Image.new("L", (20, 20)).save(tmp_path / "lawn.png")
    assert read_picture(tmp_path / "lawn.png", 400).shape == (20, 20, 4)
    with pytest.raises(wf.FormatError, match=f"a tile set may have {MOST_PIXELS:,}"):
        read_picture(tmp_path / "lawn.png", 399)


@pytest.mark.parametrize("length", [0, 8, 40, 60])
def test_a_file_that_was_cut_off_is_refused(tmp_path, length):
    path = tmp_path / "lawn.png"
    Image.fromarray(noise(0, 20, 20)).save(path)
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(wf.FormatError, match=r"lawn\.png' is not a complete PNG file"):
        read_picture(path)


def test_what_is_not_a_png_is_refused(tmp_path):
    Image.new("L", (2, 2)).save(tmp_path / "lawn.png", "GIF")
    with pytest.raises(wf.FormatError, match="is not a complete PNG file"):
        read_picture(tmp_path / "lawn.png")
    with pytest.raises(wf.FormatError, match="does not exist"):
        read_picture(tmp_path)
    Image.fromarray(np.zeros((2, 2), np.uint16)).save(tmp_path / "deep.png")
    with pytest.raises(wf.FormatError, match="8 bits per channel"):
        read_picture(tmp_path / "deep.png")


def test_too_much_for_one_sheet_is_refused():
    with pytest.raises(wf.TileSetError, match="do not fit on a sheet"):
        pack([np.full((1024, 1024, 4), number, np.uint8) for number in range(17)])


def test_a_picture_gets_an_alpha_channel():
    assert add_alpha(np.zeros((1, 2, 3), np.uint8), "a", "square").tolist() == [[[0, 0, 0, 255]] * 2]
    assert add_alpha(np.zeros((2, 1, 1, 3), np.uint8), "a", "cube").shape == (2, 1, 1, 4)
    for wrong in (np.zeros((1, 1, 3)), np.zeros((1, 1, 2), np.uint8), np.zeros((0, 1, 3), np.uint8), None):
        with pytest.raises(wf.TileSetError, match="the picture of tile 'a'"):
            add_alpha(wrong, "a", "square")
