"""The tile sets of the package are what the drawing code in tools/ makes."""

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from draw_tilesets import SETS, write_tileset
from draw_tilesets.objects import OBJECTS
from draw_tilesets.refining import HOW
from wavefold.formats.toml.bundled import FOLDER


def read_pixels(path):
    with Image.open(path) as image:
        return np.array(image.convert("RGBA"))


@pytest.mark.parametrize(
    "make",
    [pytest.param(make, marks=pytest.mark.slow if make.__name__ == "medieval" else ()) for make in SETS],
    ids=lambda make: make.__name__,
)
def test_drawing_a_set_again_gives_the_files_of_the_package(tmp_path, make):
    path = write_tileset(make(), tmp_path)
    assert path.read_bytes() == (FOLDER / path.name).read_bytes()
    sheets = sorted(tmp_path.glob("*.png"))
    assert sheets
    for sheet in sheets:
        assert np.array_equal(read_pixels(sheet), read_pixels(FOLDER / sheet.name))


def test_there_is_drawing_code_for_every_file_in_the_package():
    names = {make.__name__ for make in SETS}
    assert names == set(wf.tilesets())
    assert {path.name for path in FOLDER.iterdir()} == (
        {f"{name}.toml" for name in names}
        | {f"{name}.png" for name in names}
        | {f"{name}-objects.png" for name in OBJECTS}
        | {"medieval-flat.png"}
    )


@pytest.mark.parametrize("name", [name for name in wf.tilesets() if name != "blocks"])
def test_activities_are_those_of_the_current_set(name):
    tiles = wf.TileSet.load(name)
    assert set(tiles.activities) == set(tiles.rules.tiles), f'run make calibrate SETS="{name}"'
    assert tiles.sweeps == HOW[name]["sweeps"]
