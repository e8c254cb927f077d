"""What a map of Tiled has besides its cells."""

import json

import pytest

import wavefold as wf
from support import PIPES
from wavefold.formats.tiled.read import describe_extras


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
    return describe_extras(path)


def test_a_map_of_ours_is_nothing_but_a_map(level):
    assert describe_extras(level) == ""
    level.rename(level.with_name("other.tmj"))
    assert describe_extras(level.with_name("other.tmj")) == ""


def test_layers_properties_and_tile_sets_are_counted(level):
    def change(data):
        people = {"type": "objectgroup", "id": 8, "name": "people", "objects": []}
        sky = {"type": "imagelayer", "id": 9, "name": "sky", "image": ""}
        data["layers"] += [people, {"type": "group", "id": 7, "name": "all", "layers": [sky, people]}]
        data["properties"] += [{"name": "music", "type": "string", "value": "x"}]
        data["layers"][0].setdefault("properties", []).append({"name": "fog", "type": "bool", "value": True})
        data["tilesets"].append({"firstgid": 5000, "source": "lost.tsj"})

    found = changed(level, change)
    assert found == "2 object layers, 1 group of layers, 1 image layer, 2 properties, 1 tile set of its own"


def test_another_tile_layer_is_counted(level):
    def change(data):
        roof = {**data["layers"][0], "id": 9, "name": "roof"}
        roof.pop("properties", None)
        data["layers"].append(roof)

    assert changed(level, change) == "1 other tile layer"
