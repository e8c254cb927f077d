"""Objects in files of maps: what is written of them, and that the files can still be read."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ldtk_schema import find_violations

import wavefold as wf
from wavefold.formats.ldtk.read import describe_extras as describe_ldtk
from wavefold.formats.tiled.read import describe_extras as describe_tiled

SIZE = 12
GRIDS = {
    "square": wf.SquareGrid(9, 7),
    "pointy": wf.HexGrid(3),
    "flat": wf.HexGrid.rectangle(6, 5, layout="flat"),
    "even rows": wf.HexGrid.rectangle(5, 6),
}


def dressed(topology: str = "square") -> wf.TileSet:
    lawn = np.full((SIZE, SIZE, 4), (60, 160, 60, 255), np.uint8)
    tree = np.full((8, 4, 4), (10, 60, 20, 255), np.uint8)
    tiles = [wf.Tile(name, picture=lawn) for name in ("wood", "lawn")]
    objects = [
        wf.MapObject("old oak", "wood", 0.6, 2, picture=tree, anchor=(0.5, 1), jitter=0.25),
        wf.MapObject("stone", ["wood", "lawn"], 0.2, colour="#808080"),
    ]
    return wf.TileSet(tiles, topology, "glade", objects=objects)


def solve(grid: Any, seed: int = 4) -> wf.Solution:
    return wf.generate(dressed(grid.kind), grid, seed=seed)


def middle_of_stamp(solution: wf.Solution, cell: int, size: int) -> tuple[float, float]:
    """Where our own picture draws the middle of a cell."""
    from wavefold.render.draw import make_canvas

    x, y = make_canvas(solution.problem, size).find_middles(np.array([cell]))[0].tolist()
    return x, y


# --- JSON -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GRIDS)
def test_json_lists_them_and_reads_them_again(tmp_path: Path, name: str) -> None:
    solution = solve(GRIDS[name])
    solution.save(tmp_path / "map.json")
    read = wf.read_map(tmp_path / "map.json", solution.problem.tiles)
    assert list(read.objects) == solution.objects != []
    assert read.patterns.tolist() == solution.patterns.tolist()
    solution.save(tmp_path / "bare.json", objects=False)
    assert "objects" not in json.loads((tmp_path / "bare.json").read_text())
    assert wf.read_map(tmp_path / "bare.json", solution.problem.tiles).objects == ()


def test_maps_of_sets_without_objects_are_written_as_before(tmp_path: Path) -> None:
    solution = wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(6, 6), seed=1)
    solution.save(tmp_path / "map.json")
    assert "objects" not in json.loads((tmp_path / "map.json").read_text())
    solution.save(tmp_path / "map.tmj")
    assert len(json.loads((tmp_path / "map.tmj").read_text())["layers"]) == 1


def test_damaged_objects_are_refused(tmp_path: Path) -> None:
    solution = solve(GRIDS["square"])
    solution.save(tmp_path / "map.json")
    document = json.loads((tmp_path / "map.json").read_text())
    document["objects"][0]["cell"] = "here"
    (tmp_path / "map.json").write_text(json.dumps(document))
    with pytest.raises(wf.FormatError, match=r"objects\[0\]\.cell"):
        wf.read_map(tmp_path / "map.json", solution.problem.tiles)


@pytest.mark.parametrize("ending", ["npz", "csv", "json", "tmx", "tmj", "ldtk"])
def test_every_format_reads_the_tiles_again(tmp_path: Path, ending: str) -> None:
    solution = solve(GRIDS["square"])
    solution.save(tmp_path / f"map.{ending}")
    read = wf.read_map(tmp_path / f"map.{ending}", solution.problem.tiles)
    assert read.patterns.tolist() == solution.patterns.tolist()


# --- Tiled ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GRIDS)
def test_points_lie_in_tiled_where_pictures_show_them(tmp_path: Path, name: str) -> None:
    solution = solve(GRIDS[name])
    grid: Any = solution.problem.topology
    solution.save(tmp_path / "map.tmj")
    document = json.loads((tmp_path / "map.tmj").read_text())
    layer = document["layers"][-1]
    assert (layer["type"], layer["name"]) == ("objectgroup", "objects")
    assert document["nextobjectid"] == len(solution.objects) + 1
    assert document["nextlayerid"] == 3
    assert [(each["name"], each["type"]) for each in layer["objects"]] == [
        (each.name, each.name) for each in solution.objects
    ]
    size = document["tilewidth"]
    offsets = []
    for point, placed in zip(layer["objects"], solution.objects, strict=True):
        x, y = middle_of_stamp(solution, grid.cell_at(placed.coordinate), size)
        moved = np.array(placed.position[:2]) - grid.positions(np.array(placed.coordinate))
        moved = (moved - (0.5 if grid.kind == "square" else 0)) * size
        offsets.append((point["x"] - x - moved[0], point["y"] - y - moved[1]))
    assert np.ptp(np.array(offsets), axis=0).max() < 1  # the same for all: where Tiled's grid begins


def test_xml_and_json_say_the_same_of_points(tmp_path: Path) -> None:
    solution = solve(GRIDS["square"])
    solution.save(tmp_path / "a.tmx")
    solution.save(tmp_path / "a.tmj")
    points = json.loads((tmp_path / "a.tmj").read_text())["layers"][-1]["objects"]
    group = ET.parse(tmp_path / "a.tmx").getroot().find("objectgroup")
    assert group is not None
    found = [
        (each.get("type"), float(each.get("x", "")), float(each.get("y", "")))
        for each in group.findall("object")
    ]
    assert found == [(each["type"], each["x"], each["y"]) for each in points]
    assert all(each.find("point") is not None for each in group.findall("object"))


def test_infinite_maps_have_points_at_the_pixels_of_the_world(tmp_path: Path) -> None:
    with wf.World(dressed(), seed=3, chunk=16) as world:
        solution = world.solution(-20, 35, 12, 10)
    solution.save(tmp_path / "map.tmj")
    points = json.loads((tmp_path / "map.tmj").read_text())["layers"][-1]["objects"]
    assert [(each["x"], each["y"]) for each in points] == [
        tuple(axis * SIZE for axis in each.position) for each in solution.objects
    ]


def test_points_of_an_infinite_hexagonal_map_lie_as_its_cells_do(tmp_path: Path) -> None:
    with wf.World(dressed("hex"), seed=3, chunk=16) as world:
        solution = world.solution(-9, -7, 8, 8)
    solution.save(tmp_path / "map.tmj")
    document = json.loads((tmp_path / "map.tmj").read_text())
    across = document["tilewidth"]
    down = (document["tileheight"] + document["hexsidelength"]) / 2
    for point, placed in zip(document["layers"][-1]["objects"], solution.objects, strict=True):
        q, r = placed.coordinate
        moved = (placed.position[0] - (q + r / 2)) * across, (placed.position[1] - r * 3**0.5 / 2) * across
        assert point["x"] == pytest.approx((q + r / 2 + 0.5) * across + moved[0])
        assert point["y"] == pytest.approx(r * down + document["tileheight"] / 2 + moved[1])


def test_layers_of_cubes_are_named_by_the_points(tmp_path: Path) -> None:
    solution = solve(wf.CubeGrid(3, 3, 3))
    solution.save(tmp_path / "map.tmj")
    points = json.loads((tmp_path / "map.tmj").read_text())["layers"][-1]["objects"]
    assert [each["properties"][0]["value"] for each in points] == [
        str(each.coordinate[2]) for each in solution.objects
    ]


def test_our_own_layers_are_not_called_a_loss(tmp_path: Path) -> None:
    solution = solve(GRIDS["square"])
    for ending, describe in (("tmx", describe_tiled), ("tmj", describe_tiled), ("ldtk", describe_ldtk)):
        solution.save(tmp_path / f"map.{ending}")
        assert describe(tmp_path / f"map.{ending}") == ""


def test_pytiled_parser_finds_the_points(tmp_path: Path) -> None:
    parser = pytest.importorskip("pytiled_parser", reason="pytiled-parser is not installed")
    solution = solve(GRIDS["square"])
    for ending in ("tmx", "tmj"):
        solution.save(tmp_path / f"map.{ending}")
        layer = parser.parse_map(tmp_path / f"map.{ending}").layers[-1]
        assert [each.name for each in layer.tiled_objects] == [each.name for each in solution.objects]


# --- LDtk -------------------------------------------------------------------------------------------


def test_entities_follow_the_schema_and_stand_where_objects_do(tmp_path: Path) -> None:
    with wf.World(dressed(), seed=3, chunk=16) as world:
        solution = world.solution(-20, 35, 12, 10)
    solution.save(tmp_path / "map.ldtk")
    document = json.loads((tmp_path / "map.ldtk").read_text())
    assert list(find_violations(document)) == []
    kinds = {each["uid"]: each for each in document["defs"]["entities"]}
    assert [each["identifier"] for each in kinds.values()] == ["old_oak", "stone"]
    assert (kinds[min(kinds)]["width"], kinds[min(kinds)]["height"]) == (4, 8)
    layer = document["levels"][0]["layerInstances"][0]
    assert layer["__type"] == "Entities"
    uids = [each["uid"] for each in (*document["defs"]["layers"], *document["defs"]["entities"])]
    assert len(set(uids)) == len(uids)
    assert document["nextUid"] > max(uids)
    for entity, placed in zip(layer["entityInstances"], solution.objects, strict=True):
        assert (
            entity["__identifier"] == kinds[entity["defUid"]]["identifier"] == placed.name.replace(" ", "_")
        )
        assert entity["__grid"] == [placed.coordinate[0] + 20, placed.coordinate[1] - 35]
        assert entity["__worldX"] == pytest.approx(placed.position[0] * SIZE, abs=0.51)
        assert entity["__worldY"] == pytest.approx(placed.position[1] * SIZE, abs=0.51)
    solution.save(tmp_path / "bare.ldtk", objects=False)
    bare = json.loads((tmp_path / "bare.ldtk").read_text())
    assert bare["defs"]["entities"] == []
    assert len(bare["levels"][0]["layerInstances"]) == 1


def test_a_reader_made_from_the_schema_finds_the_entities(tmp_path: Path) -> None:
    api = pytest.importorskip("ldtkpy.api")
    solution = solve(GRIDS["square"])
    solution.save(tmp_path / "map.ldtk")
    project = api.ldtk_json_from_dict(json.loads((tmp_path / "map.ldtk").read_text()))
    layer = project.levels[0].layer_instances[0]
    assert len(layer.entity_instances) == len(solution.objects)


# --- Godot ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["square", "pointy", "flat"])
def test_scenes_of_godot_have_a_marker_for_each(tmp_path: Path, name: str) -> None:
    solution = solve(GRIDS[name])
    solution.save(tmp_path / "map.tscn")
    text = (tmp_path / "map.tscn").read_text()
    groups = re.findall(r'type="Marker2D" parent="Objects" groups=\["(.*?)"\]\]', text)
    assert groups == [each.name for each in solution.objects]
    points = [tuple(map(float, each)) for each in re.findall(r"position = Vector2\((\S+), (\S+)\)", text)]
    if name == "square":
        expected = [tuple(axis * SIZE for axis in each.position) for each in solution.objects]
        assert points == [pytest.approx(each, rel=1e-4) for each in expected]
    solution.save(tmp_path / "bare.tscn", objects=False)
    assert "Marker2D" not in (tmp_path / "bare.tscn").read_text()
