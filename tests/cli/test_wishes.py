"""What the command line asks for: pins, sizes, budgets, and what is told when it fails."""

import json
import os

import pytest
from PIL import Image
from running import complaint, done_well

import wavefold as wf
from wavefold.cli.sources import meant, spellings, with_ground
from wavefold.config import load_config
from wavefold.tiles.learning.bundled_samples import samples


@pytest.fixture
def sample(tmp_path):
    """A picture of three colours."""
    image = Image.new("RGB", (4, 4), (40, 80, 200))
    image.putpixel((1, 1), (255, 0, 0))
    image.putpixel((2, 1), (0, 255, 0))
    image.save(tmp_path / "sample.png")
    return tmp_path / "sample.png"


@pytest.mark.parametrize("colour", ["#ff0000", "#FF0000", "255,0,0", "255, 0, 0"])
def test_colours_are_pinned_in_learned_sets(wavefold, sample, colour):
    arguments = ("generate", sample, "--n", 2, "--size", "6x6", "--pin", f"3,3={colour}", "-o", "m.csv")
    done_well(wavefold(*arguments))
    rows = (sample.parent / "m.csv").read_text().splitlines()
    assert next(row for row in rows if row.startswith("3,3,")).endswith('"#ff0000"')


def test_values_have_spellings(sample):
    tiles = wf.learn(sample, n=2)
    assert meant("#2850c8", tiles)[:3] == (40, 80, 200)
    with pytest.raises(wf.ConfigError, match="did you mean '#2850c8'"):
        meant("#2850c9", tiles)
    assert meant("lamp", wf.TileSet.load("pipes")) == "lamp"
    assert "#010203ff" in spellings((1, 2, 3))
    assert "#010203" in spellings((1, 2, 3, 255))
    assert spellings(7) == ["7"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pipes", "--pin", "1,1=wall", "--pin", " 1,1=lamp"), "is the second for the cell 1,1"),
        (("medieval", "--size", "4x4", "--radius", "2"), "--size and --radius"),
        (("pipes", "--budget", "0ms"), "leaves no time at all"),
        (("tartn",), "did you mean 'tartan'"),
    ],
)
def test_what_makes_no_sense_is_refused(wavefold, arguments, message):
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
    masks = with_ground(effective, tiles, grid)["masks"]
    assert not masks[:, 0].any()
    assert masks[-6:, tiles.ground_pattern].all()
    assert not masks[:-6, tiles.ground_pattern].any()


def test_what_fails_is_told_as_json(wavefold):
    done = wavefold(
        "generate", "pipes", "--size", "5x5", "--pin", "0,0=lamp@90", "--pin", "1,0=wall", "--json"
    )
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["kind"] == "impossible"
    assert "lamp@90" in told["error"]
    assert told["outputs"] == told["maps"] == []
    assert told["stats"]["decisions"] >= 0


def test_the_size_is_told_as_it_was_asked_for(wavefold):
    data = json.loads(done_well(wavefold("generate", "medieval", "--size", "5x4", "--json")))
    assert data["size"] == [5, 4]


def test_what_was_decided_is_shown_and_filmed(wavefold, tmp_path):
    arguments = ("generate", "meadow", "--size", "12x6", "--budget", 20, "--partial")
    done = wavefold(*arguments)
    assert done.returncode == 3
    assert [len(line) for line in done.stdout.splitlines()] == [12] * 6
    assert "?" in done.stdout
    done = wavefold(*arguments, "-o", "m-{seed}.gif", "-o", "m-{seed}.png")
    assert done.returncode == 3
    assert sorted(os.listdir(tmp_path)) == ["m-0.gif", "m-0.png"]
    assert "m-0.png holds what was decided" in done.stderr


def test_a_map_drawn_in_tiled_is_learned_and_written(wavefold, tmp_path):
    done_well(wavefold("generate", "pipes", "--size", "6x6", "-o", "m.tmx"))
    done = wavefold("learn", "m.tmx", "--adjacency", "-o", "x.toml")
    done_well(done)
    assert "not their pictures" in done.stderr
    done_well(wavefold("generate", "x.toml", "--size", "4x4"))


def test_maps_in_the_terminal_are_parted_by_their_seeds(wavefold):
    lines = done_well(wavefold("generate", "pipes", "--size", "4x1", "--count", 2, "--seed", 5)).splitlines()
    assert lines[0::2] == ["seed 5", "seed 6"]
