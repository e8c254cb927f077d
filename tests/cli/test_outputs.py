"""Files that commands write: never over what they read, and checked before the work."""

import json
import os
import shutil
from pathlib import Path

import pytest
from PIL import Image
from running import complaint, done_well

import wavefold as wf
from wavefold.cli import outputs
from wavefold.formats import image_files
from wavefold.tiles.learning.samples import find_sample_path


def test_an_unknown_ending_is_answered_with_the_nearest_or_all(wavefold, tmp_path):
    assert "did you mean '.png'" in complaint(wavefold("generate", "pipes", "-o", "map.pgn"))
    assert ".json, " in complaint(wavefold("generate", "pipes", "-o", "map"))
    assert os.listdir(tmp_path) == []


def test_a_missing_folder_is_told_before_the_work(wavefold):
    assert "create it first" in complaint(wavefold("generate", "pipes", "-o", "nowhere/map.png"))


@pytest.mark.parametrize("path", ["taken/map.png", "taken/deeper/map.png"])
def test_a_file_in_place_of_a_folder_is_named(wavefold, tmp_path, path):
    (tmp_path / "taken").write_text("a file")
    message = complaint(wavefold("generate", "pipes", "-o", path))
    assert (
        message == f"wavefold: cannot write {path!r}: 'taken' is a file, not a folder; choose another path\n"
    )


@pytest.fixture
def sample(tmp_path):
    """A picture of somebody's own."""
    return shutil.copy(find_sample_path("tartan"), tmp_path / "town-tiles.png")


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "town-tiles.png", "-o", "town.tmx"),
        ("generate", "town-tiles.png", "-o", "town-tiles.png"),
        ("explain", "town-tiles.png", "-o", "../here/town-tiles.png"),
    ],
)
def test_what_is_read_is_not_written_over(wavefold, tmp_path, sample, arguments):
    before = sample.read_bytes()
    arguments = [part.replace("../here", f"../{tmp_path.name}") for part in arguments]
    assert "overwritten" in complaint(wavefold(*arguments, "--size", "6x6", "--symmetry", "1"))
    assert sample.read_bytes() == before
    assert os.listdir(tmp_path) == ["town-tiles.png"]


def test_a_sheet_of_a_tile_set_is_not_written_over(wavefold, tmp_path):
    done_well(wavefold("generate", "pipes", "--size", "3x3", "-o", "one.tmx"))
    before = (tmp_path / "one-tiles.png").read_bytes()
    assert "overwritten" in complaint(wavefold("explain", "one.tmx", "--size", "3x3", "-o", "one-tiles.png"))
    assert (tmp_path / "one-tiles.png").read_bytes() == before


@pytest.mark.parametrize("names", [("m.tmx", "m-tiles.png"), ("m.png", "./m.png"), ("m.tmx", "m.tmx")])
def test_two_outputs_are_two_files(wavefold, tmp_path, names):
    outputs = [part for name in names for part in ("-o", name)]
    assert "writes the same file" in complaint(wavefold("generate", "pipes", "--size", "3x3", *outputs))
    assert os.listdir(tmp_path) == []


def test_both_spellings_of_a_map_of_tiled_share_the_picture_of_their_tiles(wavefold, tmp_path):
    run = ("generate", "pipes", "--size", "5x4")
    done_well(wavefold(*run, "-o", "m.tmj"))
    alone = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    done_well(wavefold(*run, "-o", "m.tmx", "-o", "m.tmj"))
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert sorted(found) == ["m-tiles.png", "m-tiles.tsj", "m-tiles.tsx", "m.tmj", "m.tmx"]
    assert {name: found[name] for name in alone} == alone
    maps = [wf.read_map(tmp_path / name) for name in ("m.tmx", "m.tmj")]
    assert (maps[0].patterns == maps[1].patterns).all()
    seeds = ("--maps", "2", "-o", "n-{seed}.tmx", "-o", "n-{seed}.tmj")
    assert done_well(wavefold(*run, *seeds)).count("-tiles.png") == 2


def test_files_beside_a_map_are_told(wavefold, tmp_path):
    done = wavefold("generate", "pipes", "--size", "3x3", "--tile-size", 10, "-o", "m.tmx", "--json")
    assert json.loads(done_well(done))["outputs"] == ["m.tmx", "m-tiles.tsx", "m-tiles.png"]
    assert 'tilewidth="10"' in (tmp_path / "m.tmx").read_text()


def test_maps_for_several_editors_and_engines_are_written_at_once(wavefold, tmp_path):
    names = ("m.tmx", "m.ldtk", "m.tscn")
    outputs = [part for name in names for part in ("-o", name)]
    told = json.loads(done_well(wavefold("generate", "pipes", "--size", "3x3", *outputs, "--json")))
    beside = {"m-tiles.tsx", "m-tiles.png", "m-tileset.png", "m-tileset.tres", "m-atlas.png"}
    assert set(told["outputs"]) == {*names, *beside} == set(os.listdir(tmp_path))
    told = done_well(wavefold("repair", "m.ldtk", "--original", "m.tmx", "-o", "m.ldtk"))
    assert "0 cells did not fit" in told


@pytest.mark.parametrize(
    ("tileset", "path", "message"),
    [
        ("blocks", "m.ldtk", "LDtk shows square cells, not those of a cube map"),
        ("medieval", "m.ldtk", "LDtk supports square cells, not hex cells"),
        ("blocks", "m.tscn", "a TileMapLayer of Godot supports square and hex cells, not cube cells"),
    ],
)
def test_cells_that_an_editor_does_not_show_are_told_before_the_work(
    wavefold, tmp_path, tileset, path, message
):
    assert message in complaint(wavefold("generate", tileset, "--budget", 1, "-o", path))
    assert os.listdir(tmp_path) == []


def test_learned_pixels_are_enlarged_unless_told(wavefold, tmp_path):
    arguments = ("generate", "tartan", "--size", "12x9")
    done_well(wavefold(*arguments, "-o", "m.tmx", "-o", "m.png"))
    assert 'tilewidth="16"' in (tmp_path / "m.tmx").read_text()
    done_well(wavefold(*arguments, "--tile-size", 2, "-o", "small.png"))
    with Image.open(tmp_path / "m.png") as large, Image.open(tmp_path / "small.png") as small:
        assert (large.size, small.size) == ((384, 288), (24, 18))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-o", "m.glb"), "a GLB holds hex and cube maps"),
        (("--tile-size", 10**5, "-o", "m.png"), "try --tile-size "),
        (("--tile-size", 10**5, "-o", "m.tmx"), "a smaller --tile-size"),
        (("--tile-size", 10**5, "-o", "m.gif"), "try --tile-size "),
        (("--maps", 5000, "-o", "m.png"), "write m-{seed}.png"),
        (("--maps", 10001), "10000"),
    ],
)
def test_what_would_fail_at_the_end_is_told_before(wavefold, arguments, message):
    """A map of this size and budget would not be made."""
    assert message in complaint(wavefold("generate", "meadow", "--budget", 1, *arguments))


def test_a_film_needs_its_extra_before_the_work(monkeypatch):
    monkeypatch.setattr(image_files, "find_spec", lambda _: None)
    problem = wf.Problem(wf.TileSet.load("pipes"), wf.SquareGrid(3, 3))
    with pytest.raises(wf.PluginError, match=r"wavefold\[export\]"):
        outputs.check_writing(problem, [Path("m.mp4")])
