"""Commands that make something, run as people run them."""

import json
import os
from xml.etree import ElementTree

import pytest
from PIL import Image
from running import complaint, done_well

import wavefold as wf
from wavefold.tiles.learning.bundled_samples import sample_path


def test_one_run_writes_every_format_asked_for(wavefold, tmp_path):
    names = ["map.png", "map.svg", "map.gif", "map.json", "map.npz", "map.csv"]
    outputs = [part for name in names for part in ("-o", name)]
    line = done_well(wavefold("generate", "pipes", "--size", "6x4", *outputs))
    assert all(name in line for name in names)
    assert sorted(os.listdir(tmp_path)) == sorted(names)
    ElementTree.parse(tmp_path / "map.svg")
    with Image.open(tmp_path / "map.gif") as moving:
        assert moving.n_frames > 1


def test_several_maps_become_one_sheet_or_files_of_their_own(wavefold, tmp_path):
    arguments = ("generate", "pipes", "--size", "4x4", "--count", 3, "--seed", 5)
    done_well(wavefold(*arguments, "-o", "sheet.png", "-o", "map-{seed}.json"))
    assert sorted(os.listdir(tmp_path)) == ["map-5.json", "map-6.json", "map-7.json", "sheet.png"]
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.width > 2 * 4 * 24
    assert "write map-{seed}.json" in complaint(wavefold(*arguments, "-o", "map.json"))


def test_hexagons_have_a_radius_and_cubes_have_layers(wavefold, tmp_path):
    data = json.loads(done_well(wavefold("generate", "medieval", "--radius", 2, "--json")))
    assert sum(cell >= 0 for row in data["maps"][0]["map"] for cell in row) == 19
    data = json.loads(done_well(wavefold("generate", "blocks", "--size", "3x4x5", "--json")))
    layers = data["maps"][0]["map"]
    assert (len(layers), len(layers[0]), len(layers[0][0])) == (5, 4, 3)
    assert "radius is for hexagons" in complaint(wavefold("generate", "pipes", "--radius", 3))


def test_pins_hold(wavefold):
    done = wavefold("generate", "pipes", "--size", "5x5", "--pin", "2,2=lamp", "--pin", "0,4=cross", "--json")
    data = json.loads(done_well(done))
    names, rows = data["names"], data["maps"][0]["map"]
    assert names[rows[2][2]].startswith("lamp")
    assert names[rows[4][0]] == "cross"


@pytest.mark.parametrize(
    ("pin", "message"),
    [
        ("2,2", "write it as X,Y=TILE"),
        ("x,y=wall", "write it as X,Y"),
        ("2=wall", "write it as X,Y"),
        ("9,9=wall", "there is no cell at column 9, row 9"),
        ("1,1=wal", "did you mean 'wall'"),
    ],
)
def test_pins_that_make_no_sense_are_refused(wavefold, pin, message):
    assert message in complaint(wavefold("generate", "pipes", "--size", "5x5", "--pin", pin))


def colours(image):
    return {colour for _, colour in image.convert("RGB").getcolors(1 << 20)}


def test_a_picture_is_learned_from(wavefold, tmp_path):
    sample = sample_path("tartan")
    done_well(wavefold("generate", sample, "--n", 2, "--size", "12x9", "-o", "grown.png"))
    with Image.open(tmp_path / "grown.png") as grown, Image.open(sample) as drawn:
        assert grown.size == (384, 288)  # a pixel for each cell, enlarged
        assert colours(grown) <= colours(drawn)
    assert "--n is for pictures" in complaint(wavefold("generate", "pipes", "--n", 2))


def test_what_was_decided_is_saved_when_asked_for(wavefold, tmp_path):
    arguments = ("generate", "meadow", "--size", "12x12", "--budget", 20, "-o", "map.png", "-o", "map.json")
    done = wavefold(*arguments, "--partial")
    assert done.returncode == 3
    assert sorted(os.listdir(tmp_path)) == ["map.json", "map.png"]
    cells = json.loads((tmp_path / "map.json").read_text())["cells"]
    assert any(cell is None for row in cells for cell in row)


def test_a_budget_may_be_a_time(wavefold):
    done = wavefold("generate", "castle", "--size", "300x300", "--order", "entropy", "--budget", "1ms")
    assert done.returncode == 3
    assert "budget" in complaint(wavefold("generate", "pipes", "--budget", "soon"))


@pytest.mark.parametrize(("size", "needed"), [("100000x100000", "GB"), ("9000x9000", "GB")])
def test_maps_that_would_not_fit_are_refused_at_once(wavefold, size, needed):
    assert needed in complaint(wavefold("generate", "pipes", "--size", size))
    assert "not an amount" in complaint(wavefold("generate", "pipes", "--memory", "lots"))


def test_the_configuration_gives_what_flags_do_not(wavefold, tmp_path):
    (tmp_path / "wavefold.toml").write_text('[generate]\ntileset = "pipes"\nsize = "4x3"\nseed = 9\n')
    data = json.loads(done_well(wavefold("generate", "--json")))
    assert (data["tileset"], data["size"], data["seed"]) == ("pipes", [4, 3], 9)
    data = json.loads(done_well(wavefold("generate", "--seed", 1, "--json", WAVEFOLD_GENERATE_SIZE="2x2")))
    assert (data["size"], data["seed"]) == ([2, 2], 1)
    told = json.loads(done_well(wavefold("config", "--json")))
    assert told["config"]["generate"]["seed"] == 9
    assert "wavefold.toml" in told["origins"]["generate.seed"]


def test_an_unknown_key_of_the_configuration_is_answered_with_the_nearest(wavefold, tmp_path):
    (tmp_path / "wavefold.toml").write_text("[generate]\nsede = 9\n")
    message = complaint(wavefold("generate", "pipes"))
    assert "line 2" in message
    assert "did you mean 'seed'" in message


def test_a_learned_set_is_written_and_used(wavefold, tmp_path):
    assert "patterns learned from kilim" in done_well(
        wavefold("learn", "kilim", "--n", 2, "-o", "kilim.toml")
    )
    done_well(wavefold("generate", "kilim.toml", "--size", "8x8", "-o", "map.png"))
    data = json.loads(done_well(wavefold("learn", "kilim", "--adjacency", "--json")))
    assert data["n"] == 1
    assert data["patterns"] == len(wf.learn_adjacency("kilim"))
    assert "a tile set ends in .toml" in complaint(wavefold("learn", "kilim", "-o", "kilim.png"))
    assert "--n is for windows" in complaint(wavefold("learn", "kilim", "--adjacency", "--n", 3))


def test_a_conflict_is_explained_in_words_and_drawn(wavefold, tmp_path):
    pins = ("--pin", "0,0=lamp@90", "--pin", "1,0=wall")
    done = wavefold("explain", "pipes", "--size", "6x6", *pins, "-o", "why.png")
    assert done.returncode == 1
    assert "the pin 'lamp@90' at column 0, row 0" in done.stdout
    assert (tmp_path / "why.png").exists()
    done = wavefold("explain", "pipes", "--size", "6x6", *pins, "--json")
    data = json.loads(done.stdout)
    assert data["contradictory"]
    assert sorted(data["cells"]) == [[0, 0], [1, 0]]
    assert "nothing contradicts" in done_well(wavefold("explain", "pipes", "--size", "6x6"))
    assert ".png or .svg" in complaint(wavefold("explain", "pipes", "-o", "why.gif"))
