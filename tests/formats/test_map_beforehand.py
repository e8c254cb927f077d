"""What is known about the files of a map before there is one, and what a map of Tiled has besides."""

import json
import sys
from pathlib import Path

import pytest

import wavefold as wf
from support import PIPES
from wavefold.formats.tiled.extras import more_than_a_map
from wavefold.map_format import check_writing, companions


def test_files_beside_a_map_are_the_ones_that_are_written(tmp_path):
    solution = wf.generate(PIPES, wf.SquareGrid(3, 3))
    for number, ending in enumerate((".tmx", ".tmj", ".json", ".csv", ".png")):
        folder = tmp_path / str(number)
        folder.mkdir()
        solution.save(folder / f"map{ending}")
        told = {folder / f"map{ending}", *companions(folder / f"map{ending}")}
        assert told == set(folder.iterdir())
    assert companions("map.TMJ") == (Path("map-tiles.tsj"), Path("map-tiles.png"))


def test_what_cannot_be_written_is_known_before():
    problem = wf.Problem(PIPES, wf.SquareGrid(3, 3))
    check_writing(problem, "map.tmx")
    check_writing(problem, "map.json")
    with pytest.raises(wf.ConfigError, match="smaller tile_size"):
        check_writing(problem, "map.tmx", tile_size=10**5)
    with pytest.raises(wf.ConfigError, match="without ':'"):
        check_writing(problem, "a:map.tmx")
    with pytest.raises(wf.ConfigError, match="hex and cube maps"):
        check_writing(problem, "map.glb")


def test_an_extra_that_is_missing_is_told_before(monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)
    blocks = wf.Problem(wf.TileSet.load("blocks"), wf.CubeGrid(2, 2, 2))
    with pytest.raises(wf.PluginError, match=r"wavefold\[export\]"):
        check_writing(blocks, "map.glb")


@pytest.fixture(
    params=[(PIPES, wf.SquareGrid(3, 3)), ("blocks", wf.CubeGrid(2, 2, 2))], ids=["flat", "stacked"]
)
def level(request, tmp_path):
    """A map for Tiled, as JSON."""
    tiles, grid = request.param
    tiles = wf.TileSet.load(tiles) if isinstance(tiles, str) else tiles
    wf.generate(tiles, grid).save(tmp_path / "map.tmj")
    return tmp_path / "map.tmj"


def changed(path, change):
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    return more_than_a_map(path)


def test_a_map_of_ours_is_nothing_but_a_map(level):
    assert more_than_a_map(level) == ""
    level.rename(level.with_name("other.tmj"))
    assert more_than_a_map(level.with_name("other.tmj")) == ""
    assert more_than_a_map("map.json") == ""


def test_layers_properties_and_tile_sets_are_counted(level):
    def change(data):
        people = {"type": "objectgroup", "id": 8, "name": "people", "objects": []}
        sky = {"type": "imagelayer", "id": 9, "name": "sky", "image": ""}
        data["layers"] += [people, {"type": "group", "id": 7, "name": "all", "layers": [sky, people]}]
        data["properties"] += [{"name": "music", "type": "string", "value": "x"}]
        data["layers"][0].setdefault("properties", []).append({"name": "fog", "type": "bool", "value": True})
        data["tilesets"].append({"firstgid": 5000, "source": "lost.tsj"})

    told = changed(level, change)
    assert told == ("2 object layers, 1 group of layers, 1 image layer, 2 properties, 1 tile set of its own")


def test_another_tile_layer_is_counted(level):
    def change(data):
        roof = {**data["layers"][0], "id": 9, "name": "roof"}
        roof.pop("properties", None)
        data["layers"].append(roof)

    assert changed(level, change) == "1 other tile layer"
