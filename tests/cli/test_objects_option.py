"""`--objects` and `--no-objects`: pictures and files with and without what is laid over tiles."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

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
