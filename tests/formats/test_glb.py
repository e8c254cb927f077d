"""Maps as three-dimensional scenes."""

import sys

import numpy as np
import pytest
from map_solutions import CUBES, GRAPH, HEXES, LATTICES, on

import wavefold as wf
from support import compiled_only
from wavefold.formats.glb import find_visible_faces

trimesh = pytest.importorskip("trimesh", reason='trimesh is not installed: pip install "wavefold[export]"')


def scene(folder, solution, **options):
    solution.save(folder / "map.glb", **options)
    return trimesh.load(folder / "map.glb", force="scene")


@pytest.mark.parametrize("topology", [*HEXES.values(), *CUBES.values()], ids=[*HEXES, *CUBES])
def test_every_cell_is_a_node_and_every_pattern_one_mesh(tmp_path, topology):
    solution = on(topology)
    found = scene(tmp_path, solution)
    names = solution.problem.rules.names
    assert set(found.geometry) == {names[number] for number in solution.patterns}
    assert len(found.graph.nodes_geometry) == topology.cell_count
    for cell in range(topology.cell_count):
        where, mesh = found.graph[f"cell {' '.join(map(str, topology.coordinate(cell)))}"]
        assert mesh == names[solution.patterns[cell]]
        if topology.kind == "cube":
            x, y, z = topology.coordinate(cell)
            assert where[:3, 3].tolist() == [x, z, y]
        else:
            assert np.allclose(where[[0, 2], 3], topology.centre(cell))


def test_hexagons_are_as_high_as_their_level_and_faces_look_outwards(tmp_path):
    tiles = wf.TileSet([wf.Tile("hill", ("a",) * 6, levels=4, rises=(1, 1, 0, 0, 0, 0))], "hex")
    problem = wf.Problem(tiles, wf.HexGrid.rhombus(3, 1))
    solution = wf.Solution(problem, np.array([0, 1, 2]), wf.Statistics(), 0)
    for step in (0.5, 2):
        found = scene(tmp_path, solution, step=step)
        for level, name in enumerate(("hill", "hill@l1", "hill@l2")):
            mesh = found.geometry[name]
            assert mesh.bounds[0, 1] == 0
            assert np.isclose(mesh.bounds[1, 1], 0.5 + step * (level + 1))
            tops, walls = mesh.face_normals[:6], mesh.face_normals[6:]
            assert (tops[:, 1] > 0).all()
            assert np.allclose(walls[:, 1], 0, atol=1e-6)
            assert ((walls * mesh.triangles_center[6:])[:, [0, 2]].sum(axis=1) > 0).all()
            assert mesh.visual.kind == "texture"


def test_neighbours_share_their_edge(tmp_path):
    """The corners of touching hexagons lie in the same places, so that there is no gap."""
    for layout in ("pointy", "flat"):
        solution = on(wf.HexGrid(1, layout))
        found = scene(tmp_path, solution)
        corners = set()
        for node in found.graph.nodes_geometry:
            where, mesh = found.graph[node]
            points = trimesh.transform_points(found.geometry[mesh].vertices, where)
            corners |= {tuple(each) for each in points[:, [0, 2]].round(4).tolist()}
        assert len(corners) == 24 + 7  # of seven hexagons, and their middles


def test_textures_show_the_picture(tmp_path):
    art = np.zeros((20, 20, 3), np.uint8)
    art[:10] = (255, 0, 0)
    art[10:] = (0, 0, 255)
    tiles = wf.TileSet([wf.Tile("flag", ("a",) * 6, picture=art)], "hex")
    found = scene(tmp_path, wf.Solution(wf.Problem(tiles, wf.HexGrid(0)), np.array([0]), wf.Statistics(), 0))
    mesh = found.geometry["flag"]
    sheet = np.asarray(mesh.visual.material.baseColorTexture.convert("RGB"))
    for vertex, (u, v) in zip(mesh.vertices, mesh.visual.uv, strict=True):
        if abs(vertex[2]) > 0.6:  # near the northern or the southern corner
            row, column = int((1 - v) * sheet.shape[0]), int(u * sheet.shape[1])
            assert sheet[row, column].tolist() == ([255, 0, 0] if vertex[2] < 0 else [0, 0, 255])


def test_models_are_made_of_the_faces_one_can_see():
    one = np.zeros((1, 1, 1, 4), np.uint8)
    one[...] = (9, 8, 7, 255)
    solid = find_visible_faces(one)
    assert len(solid.faces) == 12
    assert (solid.surface == (9, 8, 7, 255)).all()
    full = np.full((4, 4, 4, 4), 255, np.uint8)
    assert len(find_visible_faces(full).faces) == 6 * 16 * 2
    mesh = trimesh.Trimesh(*(find_visible_faces(full)[index] for index in (0, 2)))
    assert mesh.is_watertight
    assert np.isclose(mesh.volume, 1)
    hollow = full.copy()
    hollow[1:3, 1:3, 1:3] = 0
    inner = trimesh.Trimesh(*(find_visible_faces(hollow)[index] for index in (0, 2)))
    assert np.isclose(inner.volume, 1 - 1 / 8)


def test_models_stand_as_they_are_turned(tmp_path):
    """North is towards -z, up is +y: a voxel in the northwest, low, and turned by 90 in the northeast."""
    model = np.zeros((2, 2, 2, 4), np.uint8)
    model[0, 0, 0] = (255, 0, 0, 255)
    tiles = wf.TileSet([wf.Tile("post", ("a",) * 6, symmetry="turned", picture=model)], "cube")
    problem = wf.Problem(tiles, wf.CubeGrid(4, 1, 1))
    found = scene(tmp_path, wf.Solution(problem, np.arange(4), wf.Statistics(), 0))
    places = {name: mesh.bounds[0].tolist() for name, mesh in found.geometry.items()}
    assert places == {
        "post": [0, 0, 0],
        "post@90": [0.5, 0, 0],
        "post@180": [0.5, 0, 0.5],
        "post@270": [0, 0, 0.5],
    }


def test_air_and_undecided_cells_are_left_out(tmp_path):
    clear = np.zeros((1, 1, 4), np.uint8)
    stone = np.full((1, 1, 4), 255, np.uint8)
    for kind, grid in (("cube", wf.CubeGrid(3, 1, 1)), ("hex", wf.HexGrid.rhombus(3, 1))):
        tiles = wf.TileSet(
            [wf.Tile("air", ("a",) * 6, picture=clear), wf.Tile("stone", ("a",) * 6, picture=stone)], kind
        )
        problem = wf.Problem(tiles, grid)
        found = scene(tmp_path, wf.Solution(problem, np.array([0, 1, -1]), wf.Statistics(), 0))
        assert set(found.geometry) == {"stone"}
        assert list(found.graph.nodes_geometry) == ["cell 1 0 0" if kind == "cube" else "cell 1 0"]


@pytest.mark.parametrize("place", ["disk", "cubes"])
def test_the_same_map_gives_the_same_bytes(tmp_path, place):
    for name in ("one", "two"):
        on(LATTICES[place]).save(tmp_path / f"{name}.glb")
    assert (tmp_path / "one.glb").read_bytes() == (tmp_path / "two.glb").read_bytes()


def test_rules_without_tiles_are_coloured(tmp_path):
    rules = wf.Rules(["a", "b"], [wf.Relation.from_allowed(np.ones((2, 2), bool))] * 6, topology="hex")
    problem = wf.Problem(rules, wf.HexGrid(1))
    assert len(scene(tmp_path, wf.Solution(problem, np.zeros(7, int), wf.Statistics(), 0)).geometry) == 1


@compiled_only
@pytest.mark.parametrize("name", ["medieval", "blocks"])
def test_bundled_sets(tmp_path, name):
    grid = wf.HexGrid(2) if name == "medieval" else wf.CubeGrid(4, 4, 3)
    found = scene(tmp_path, wf.generate(wf.TileSet.load(name), grid, seed=1))
    assert len(found.geometry) > 3


def test_without_trimesh_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(wf.PluginError, match=r'pip install "wavefold\[export\]"'):
        on(LATTICES["disk"]).save(tmp_path / "map.glb")
    assert list(tmp_path.iterdir()) == []


def test_what_has_no_scene_is_refused(tmp_path):
    with pytest.raises(wf.ConfigError, match="a GLB holds hex and cube maps, not square maps"):
        on(LATTICES["square"]).save(tmp_path / "map.glb")
    for step in (-1, "high", 1e9, float("nan")):
        with pytest.raises(wf.ConfigError, match="step must be a number from 0 to 1000"):
            on(LATTICES["disk"]).save(tmp_path / "map.glb", step=step)
    with pytest.raises(wf.ConfigError, match="not graph maps"):
        on(GRAPH).save(tmp_path / "map.glb")
    assert list(tmp_path.iterdir()) == []
