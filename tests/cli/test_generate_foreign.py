"""`wavefold generate` with a configuration of another program."""

import json
import os

import numpy as np
import pytest
from PIL import Image
from running import complaint, done_well

import wavefold as wf

SAND, WATER = "#c8b478", "#0d2572"
CONFIG = {
    "src": "sample.png",
    "dest": "made/here/pathway.png",
    "width": 10,
    "height": 6,
    "periodicInput": True,
    "periodicX": True,
    "constraints": [{"type": "fixedTile", "tile": WATER, "point": {"x": 2, "y": 3}}],
}


@pytest.fixture
def folder(tmp_path):
    pixels = np.full((8, 8, 3), (200, 180, 120), np.uint8)
    pixels[3], pixels[3:, 5] = (13, 37, 114), (13, 37, 114)
    Image.fromarray(pixels).save(tmp_path / "sample.png")
    write(tmp_path)
    return tmp_path


def write(folder, **changes):
    (folder / "config.json").write_text(json.dumps(CONFIG | changes))


def test_the_file_that_the_configuration_names_is_written(wavefold, folder):
    told = done_well(wavefold("generate", "config.json", "--seed", 3))
    assert "made/here/pathway.png" in told
    assert "10x6, seed 3" in told
    with Image.open(folder / "made" / "here" / "pathway.png") as image:
        assert image.size == (390, 234)  # pixels are enlarged


def test_flags_stand_above_the_configuration(wavefold, folder):
    outputs = ("-o", "map.json", "--size", "7x5")
    done_well(wavefold("generate", "config.json", *outputs, "--pin", f"0,0={WATER}"))
    assert not (folder / "made").exists()
    drawn = wf.read_map(folder / "map.json", wf.TileSet.load(folder / "config.json"))
    assert drawn.topology == wf.SquareGrid(7, 5, wraps=(True, False))
    assert drawn.names[3 * 7 + 2] == drawn.names[0] == WATER
    done_well(wavefold("generate", "config.json", "-o", "map.json", "--no-wrap"))
    drawn = wf.read_map(folder / "map.json", wf.TileSet.load(folder / "config.json"))
    assert drawn.topology == wf.SquareGrid(10, 6)


def test_what_is_not_understood_is_told(wavefold, folder):
    write(folder, padTile=1, dest="castle.vox")
    done = wavefold("generate", "config.json")
    assert done.returncode == 0
    assert "padTile is ignored: an experiment" in done.stderr
    assert "castle.vox is not written: no format has this ending" in done.stderr
    assert sorted(os.listdir(folder)) == ["config.json", "sample.png"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"src": "none.png"}, "cannot read the picture 'none.png'"),
        ({"dest": "sample.png"}, "it is an input of this command"),
        ({"constraints": [{"type": "rooms"}]}, "unknown type of constraint 'rooms'"),
        ({"width": 0}, "width must be"),
    ],
)
def test_mistakes_are_told_in_one_line(wavefold, folder, changes, message):
    write(folder, **changes)
    assert message in complaint(wavefold("generate", "config.json"))
    assert sorted(os.listdir(folder)) == ["config.json", "sample.png"]


def test_a_map_is_not_a_configuration(wavefold, folder):
    done_well(wavefold("generate", "pipes", "--size", "3x3", "-o", "map.json"))
    message = complaint(wavefold("generate", "map.json"))
    assert "is a map of wavefold, not a configuration of DeBroglie" in message


def test_options_of_learning_are_for_pictures(wavefold, folder):
    message = complaint(wavefold("generate", "config.json", "--n", 3))
    assert "--n is for pictures to learn from" in message
