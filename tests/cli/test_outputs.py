"""Files that commands write: never over what they read, and checked before the work."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
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
        ("blocks", "m.ldtk", "LDtk supports square cells, not cube cells"),
        ("medieval", "m.ldtk", "LDtk supports square cells, not hex cells"),
        ("blocks", "m.tscn", "Godot's TileMapLayer supports square and hex cells, not cube cells"),
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
        (("--tile-size", 10**5, "-o", "m.png"), "use --tile-size "),
        (("--tile-size", 10**5, "-o", "m.tmx"), "a smaller --tile-size"),
        (("--tile-size", 10**5, "-o", "m.gif"), "use --tile-size "),
        (("--maps", 5000, "-o", "m.png"), "write m-{seed}.png"),
        (("--maps", 10001), "10,000"),
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


# --- `--objects` and `--no-objects`: pictures and files with and without what is laid over tiles --


TILES = """format = 1

[tiles.lawn]
sockets = "a"
colour = "#40a040"

[objects.stone]
on = "lawn"
density = 0.5
colour = "#fa0a14"
"""


@pytest.fixture
def tiles(tmp_path: Path) -> str:
    path = tmp_path / "glade.toml"
    path.write_text(TILES)
    return str(path)


def has_stones(path: Path) -> bool:
    return is_in((250, 10, 20), Image.open(path))


def is_in(colour: tuple[int, int, int], image: Image.Image) -> bool:
    return bool((np.asarray(image.convert("RGB")) == colour).all(axis=2).any())


def count_objects(path: Path) -> int:
    return len(json.loads(path.read_text()).get("objects", ()))


COMMANDS = {
    "generate": ("generate", "--size", "12x9", "--tile-size", "10"),
    "world": ("world", "--chunk", "16", "--tile-size", "10"),
    "patchwork": ("patchwork", "build", "--radius", "3", "--grids", "2", "--tile-size", "10"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_objects_are_on_until_they_are_switched_off(wavefold, tiles, tmp_path, command):
    name, *rest = COMMANDS[command]
    words = [name, rest.pop(0), tiles, *rest] if command == "patchwork" else [name, tiles, *rest]
    for flags, shown in (((), True), (("--objects",), True), (("--no-objects",), False)):
        picture, document, scene = tmp_path / "map.png", tmp_path / "map.json", tmp_path / "map.svg"
        result = wavefold(*words, *flags, "-o", picture, "-o", document, "-o", scene)
        assert result.returncode == 0, result.stderr
        assert has_stones(picture) is shown
        assert (count_objects(document) > 0) is shown
        assert ('class="object"' in scene.read_text()) is shown


def test_sheets_and_animations_follow_the_flag(wavefold, tiles, tmp_path):
    for flags, shown in (((), True), (("--no-objects",), False)):
        sheet, moving = tmp_path / "sheet.png", tmp_path / "map.apng"
        common = ("generate", tiles, "--size", "6x6", "--tile-size", "10", *flags)
        assert wavefold(*common, "--maps", "2", "-o", sheet).returncode == 0
        assert has_stones(sheet) is shown
        assert wavefold(*common, "-o", moving).returncode == 0
        with Image.open(moving) as frames:
            frames.seek(frames.n_frames - 1)
            assert is_in((250, 10, 20), frames) is shown


def test_the_configuration_can_switch_them_off(wavefold, tiles, tmp_path):
    (tmp_path / "config.toml").write_text("[picture]\nobjects = false\n")
    picture = tmp_path / "map.png"
    arguments = (
        "generate",
        tiles,
        "--size",
        "6x6",
        "--tile-size",
        "10",
        "--config",
        tmp_path / "config.toml",
    )
    assert wavefold(*arguments, "-o", picture).returncode == 0
    assert not has_stones(picture)
    assert wavefold(*arguments, "--objects", "-o", picture).returncode == 0
    assert has_stones(picture)


def test_a_mistake_in_an_object_is_one_line(wavefold, tiles, tmp_path):
    Path(tiles).write_text(TILES.replace('on = "lawn"', 'on = "lwan"'))
    result = wavefold("generate", tiles, "-o", tmp_path / "map.png")
    assert result.returncode == 2
    assert (
        "[objects.stone], line 8: object 'stone': there is no tile 'lwan'; did you mean 'lawn'?"
        in result.stderr
    )
    assert "Traceback" not in result.stderr


def test_a_repaired_map_has_its_objects_where_nothing_changed(wavefold, tmp_path):
    assert (
        wavefold(
            "generate", "meadow", "--size", "24x16", "--seed", "5", "-o", tmp_path / "map.tmj"
        ).returncode
        == 0
    )
    assert (
        wavefold(
            "generate", "meadow", "--size", "24x16", "--seed", "5", "-o", tmp_path / "map.json"
        ).returncode
        == 0
    )
    document = json.loads((tmp_path / "map.tmj").read_text())
    document["layers"][0]["data"][100] = 0
    (tmp_path / "map.tmj").write_text(json.dumps(document))
    result = wavefold("repair", tmp_path / "map.tmj", "-o", tmp_path / "mended.json")
    assert result.returncode == 0, result.stderr
    before, after = (json.loads((tmp_path / name).read_text()) for name in ("map.json", "mended.json"))
    names = [
        [[each["palette"][index]["pattern"] for index in row] for row in each["cells"]]
        for each in (before, after)
    ]
    same = {(x, y) for y in range(16) for x in range(24) if names[0][y][x] == names[1][y][x]}
    assert len(same) > 350
    kept = [[each for each in map["objects"] if tuple(each["cell"]) in same] for map in (before, after)]
    assert kept[0] == kept[1] != []


def test_chunks_in_files_of_their_own_have_the_objects_of_the_region(wavefold, tiles, tmp_path):
    common = ("world", tiles, "--chunk", "16", "--region", "-1:1,0:2")
    result = wavefold(*common, "-o", tmp_path / "all.json", "--export", str(tmp_path / "{x}_{y}.json"))
    assert result.returncode == 0, result.stderr
    whole = json.loads((tmp_path / "all.json").read_text())["objects"]
    parts = [json.loads((tmp_path / f"{x}_{y}.json").read_text()) for x in (-1, 0) for y in (0, 1)]
    found = [each for part in parts for each in part["objects"]]
    assert sorted(found, key=str) == sorted(whole, key=str) != []
    assert wavefold(*common, "--export", str(tmp_path / "{x}_{y}.tmj")).returncode == 0
    points = json.loads((tmp_path / "-1_1.tmj").read_text())["layers"][-1]["objects"]
    size = json.loads((tmp_path / "-1_1.tmj").read_text())["tilewidth"]
    assert [[each["x"], each["y"]] for each in points] == [
        [(each["position"][0] + 16) * size, (each["position"][1] - 16) * size] for each in parts[1]["objects"]
    ]
