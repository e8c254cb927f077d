"""Parts of a world know where they lie, in every format, and when they are read again."""

import csv
import json

import numpy as np
import pytest
from map_solutions import LATTICES, TILES, on, read

import wavefold as wf

FAR = (1 << 40) - 7
ORIGINS = {
    "square": (-16, 9),
    "one cell": (-FAR, FAR),
    "rhombus": (-3, -5),
    "flat rhombus": (FAR, -1),
    "cubes": (-1, 2, -3),
}


def part(place):
    """A map that was cut from a world."""
    solution = on(LATTICES[place])
    solution.origin = ORIGINS[place]
    return solution


@pytest.mark.parametrize("ending", ["json", "npz", "csv"])
@pytest.mark.parametrize("place", ORIGINS)
def test_files_bring_back_where_a_part_lies(tmp_path, place, ending):
    solution = part(place)
    solution.save(tmp_path / f"map.{ending}")
    topology = LATTICES[place] if (place, ending) == ("flat rhombus", "csv") else None  # a table is pointy
    drawn = read(tmp_path / f"map.{ending}", TILES[LATTICES[place].kind], topology=topology)
    assert drawn.origin == ORIGINS[place]
    assert drawn.topology == LATTICES[place]
    assert (drawn.patterns == solution.patterns).all()


@pytest.mark.parametrize("ending", ["json", "npz", "csv"])
def test_a_map_of_its_own_lies_nowhere(tmp_path, ending):
    for place in ("square", "holes", "disk", "rhombus", "cubes"):
        on(LATTICES[place]).save(tmp_path / f"map.{ending}")
        assert read(tmp_path / f"map.{ending}", TILES[LATTICES[place].kind]).origin is None


@pytest.mark.parametrize("ending", ["json", "npz"])
def test_a_part_at_the_middle_of_a_world_is_still_a_part(tmp_path, ending):
    solution = on(LATTICES["square"])
    solution.origin = (0, 0)
    solution.save(tmp_path / f"map.{ending}")
    assert read(tmp_path / f"map.{ending}", TILES["square"]).origin == (0, 0)


def test_every_format_tells_coordinates_of_the_world(tmp_path):
    solution = part("one cell")
    for ending in ("json", "npz", "csv"):
        solution.save(tmp_path / f"map.{ending}")
    assert json.loads((tmp_path / "map.json").read_text())["origin"] == [-FAR, FAR]
    with np.load(tmp_path / "map.npz") as arrays:
        assert arrays["coordinates"].tolist() == [[-FAR, FAR]]
    with open(tmp_path / "map.csv", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["x"], row["y"]) == (str(-FAR), str(FAR))


def test_a_table_of_a_part_fits_the_topology_it_is_given(tmp_path):
    part("square").save(tmp_path / "map.csv")
    drawn = read(tmp_path / "map.csv", TILES["square"], topology=wf.SquareGrid(5, 4, wraps=True))
    assert drawn.origin == (-16, 9)
    with pytest.raises(wf.FormatError, match="no cell at column 0, row 3"):
        read(tmp_path / "map.csv", TILES["square"], topology=wf.SquareGrid(5, 3))


def test_holes_in_a_table_that_begins_elsewhere(tmp_path):
    (tmp_path / "map.csv").write_text("x,y,pattern\n-9,-9,a\n-8,-8,a\n")
    drawn = read(tmp_path / "map.csv", wf.TileSet([wf.Tile("a")]))
    assert drawn.origin == (-9, -9)
    assert drawn.topology == wf.SquareGrid(2, 2, mask=np.eye(2, dtype=bool))


@pytest.mark.parametrize("origin", [[1], [1, 2, 3], [1 << 60, 0]])
def test_origins_that_are_not_positions_are_refused(tmp_path, origin):
    part("square").save(tmp_path / "map.json")
    document = json.loads((tmp_path / "map.json").read_text()) | {"origin": origin}
    (tmp_path / "map.json").write_text(json.dumps(document))
    with pytest.raises(wf.FormatError, match=r"origin: .* is not the position of a cell"):
        read(tmp_path / "map.json", TILES["square"])


def test_nodes_of_a_scene_have_the_coordinates_of_the_world(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    part("rhombus").save(tmp_path / "land.glb")
    scene = trimesh.load(tmp_path / "land.glb")
    assert "cell -3 -5" in scene.graph.nodes


def test_a_region_of_a_world_knows_its_place():
    world = wf.World(wf.TileSet.load("pipes"), seed=7, chunk=16)
    solution = world.solution(-20, 5, 8, 6)
    assert solution.origin == (-20, 5)
    assert wf.check(solution.problem, solution) == []
    assert solution.values.shape == (6, 8)
    name = world.tile_at(-20, 5)
    assert solution.values[0, 0] == name.partition("@")[0]
