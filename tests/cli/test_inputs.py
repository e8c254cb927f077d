"""What commands start from: configuration, tile sets, pins, sizes."""

import json
import os

import numpy as np
import pytest
from PIL import Image
from running import complaint, done_well

import wavefold as wf
from wavefold.cli.inputs import find_value, list_spellings
from wavefold.config import load_config
from wavefold.tiles.learning.samples import samples


def test_a_misspelt_tile_set_is_answered_with_the_nearest(wavefold):
    assert "did you mean 'pipes'" in complaint(wavefold("generate", "pipe"))


@pytest.mark.parametrize("size", ["64", "0x4", "4x", "axb", "-3x4", "4.5x4"])
def test_a_size_that_is_none_says_how_to_write_one(wavefold, size):
    assert "64x48" in complaint(wavefold("generate", "pipes", f"--size={size}"))


def test_layers_are_for_cubes(wavefold):
    assert "have no layers" in complaint(wavefold("generate", "pipes", "--size", "4x4x4"))


@pytest.mark.parametrize("option", ["--order", "--search"])
def test_an_unknown_name_is_answered_with_known_ones(wavefold, option):
    message = complaint(wavefold("generate", "pipes", "--size", "4x4", option, "autos"))
    assert "did you mean 'auto'" in message


def test_without_a_tile_set_the_configuration_is_named(wavefold):
    assert "no tile set is named: give one, or write" in complaint(wavefold("generate"))


@pytest.mark.parametrize("command", ["generate", "explain", "audit"])
def test_subsets_are_for_files_that_have_some(wavefold, command):
    assert "has no subsets" in complaint(wavefold(command, "pipes", "--subset", "x"))


def test_a_subset_in_the_configuration_is_told_with_its_line(wavefold, tmp_path):
    (tmp_path / "wavefold.toml").write_text('[generate]\ntileset = "pipes"\nsubset = "x"\n')
    assert "line 3: subset is for mxgmn's .xml files" in complaint(wavefold("generate"))


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


@pytest.mark.parametrize(
    ("size", "needed"),
    [
        ("100000x100000", "too large"),
        ("9000x9000", "40.7 GB, more than the limit of 4.0 GB; make it smaller, or raise --memory"),
    ],
)
def test_maps_that_would_not_fit_are_refused_at_once(wavefold, size, needed):
    assert needed in complaint(wavefold("generate", "pipes", "--size", size))
    assert "not an amount" in complaint(wavefold("generate", "pipes", "--memory", "lots"))
    assert "--memory '0' is less than a byte" in complaint(wavefold("generate", "pipes", "--memory", "0"))


def test_the_limit_of_memory_is_for_learning_too(wavefold, sample):
    refusal = complaint(wavefold("generate", sample, "--n", 2, "--memory", "100B"))
    assert "reduce the number of colours" in refusal
    assert "raise --memory" in refusal


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


@pytest.fixture
def sample(tmp_path):
    """A picture of three colours."""
    image = Image.new("RGB", (4, 4), (40, 80, 200))
    image.putpixel((1, 1), (255, 0, 0))
    image.putpixel((2, 1), (0, 255, 0))
    image.save(tmp_path / "sample.png")
    return tmp_path / "sample.png"


@pytest.mark.parametrize("colour", ["#ff0000", "#FF0000", "255,0,0", "255, 0, 0", "red"])
def test_colours_are_pinned_in_learned_sets(wavefold, sample, colour):
    arguments = ("generate", sample, "--n", 2, "--size", "6x6", "--pin", f"3,3={colour}", "-o", "m.csv")
    done_well(wavefold(*arguments))
    rows = (sample.parent / "m.csv").read_text().splitlines()
    assert next(row for row in rows if row.startswith("3,3,")).endswith('"#ff0000"')


def test_values_have_spellings(sample):
    tiles = wf.learn(sample, n=2)
    assert find_value("#2850c8", tiles)[:3] == (40, 80, 200)
    with pytest.raises(wf.ConfigError, match="did you mean '#2850c8'"):
        find_value("#2850c9", tiles)
    assert find_value("lamp", wf.TileSet.load("pipes")) == "lamp"
    assert "#010203ff" in list_spellings((1, 2, 3))
    assert "#010203" in list_spellings((1, 2, 3, 255))
    assert list_spellings(7) == ["7"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pipes", "--pin", "1,1=wall", "--pin", " 1,1=lamp"), "is a second pin for the cell 1,1"),
        (("medieval", "--size", "4x4", "--radius", "2"), "--size and --radius"),
        (("pipes", "--budget", "0ms"), "allows no time at all"),
        (("tartn",), "did you mean 'tartan'"),
    ],
)
def test_invalid_arguments_are_refused(wavefold, arguments, message):
    assert message in complaint(wavefold("generate", *arguments))


def test_a_picture_in_the_configuration_is_seen_from_there(wavefold, tmp_path, sample):
    (tmp_path / "deep").mkdir()
    sample.rename(tmp_path / "deep" / "own.png")
    text = '[generate]\nsize = "5x4"\ntileset = "own.png"\n'
    (tmp_path / "deep" / "wavefold.toml").write_text(text)
    done_well(wavefold("generate", "--config", "deep/wavefold.toml", "--n", 2))
    (tmp_path / "deep" / "wavefold.toml").write_text(text.replace("own", "other"))
    assert "line 3: " in complaint(wavefold("generate", "--config", "deep/wavefold.toml"))


def grounded():
    """A learned set with a ground."""
    return next(tiles for tiles in map(wf.learn, samples()) if tiles.ground_pattern is not None)


def test_limits_and_ground_hold_together(tmp_path):
    tiles, grid = grounded(), wf.SquareGrid(6, 5)
    limited = tiles.tiles[0].name
    fields = "[fields.altitude]\nnoise = { scale = 0.1 }\n"
    (tmp_path / "wavefold.toml").write_text(f'{fields}[terrain.limits."{limited}"]\naltitude = [5.0, 6.0]\n')
    effective = load_config(tmp_path / "wavefold.toml")
    masks = wf.Problem(tiles, grid, **effective.problem_parts(tiles, grid)).masks
    assert not masks[:, 0].any()
    assert masks[-6:, tiles.ground_pattern].all()
    assert not masks[:-6, tiles.ground_pattern].any()


# --- `wavefold generate` with a configuration of another program ----------------------------------


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
