"""What is written is read again: every tile set, every topology, every format; twice the same bytes."""

import numpy as np
import pytest
from map_solutions import GRAPH, LATTICES, RULES, TILES, anything, on, read, undecide_half

import wavefold as wf
from support import mark_slow
from wavefold.formats.csv import write_csv_map
from wavefold.formats.json import write_json_map
from wavefold.formats.npz import write_npz_map

ENDINGS = ("json", "npz", "csv", "tmx", "tmj")
GRIDS = {"square": wf.SquareGrid(6, 4), "hex": wf.HexGrid(2), "cube": wf.CubeGrid(3, 3, 2)}
UNSEEN = ("csv",)  # names no tile set


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", mark_slow(wf.tilesets(), 3))
def test_bundled_sets_come_back(tmp_path, name, ending):
    tiles = wf.TileSet.load(name)
    solution = anything(tiles, GRIDS[tiles.topology])
    solution.save(tmp_path / f"map.{ending}", **({"unused": False} if ending in ("tmx", "tmj") else {}))
    drawn = read(tmp_path / f"map.{ending}", tiles if ending in UNSEEN else None)
    assert (drawn.patterns == solution.patterns).all()
    assert drawn.topology == solution.problem.topology
    assert drawn.tiles.name == name
    assert drawn.seed == (None if ending in UNSEEN else solution.seed)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("place", LATTICES.keys())
def test_topologies_come_back(tmp_path, place, ending):
    topology = LATTICES[place]
    solution = on(topology)
    solution.save(tmp_path / f"map.{ending}")
    drawn = read(tmp_path / f"map.{ending}", TILES[topology.kind])
    if ending == "csv":  # knows the coordinates, but neither layout nor wraps
        assert (drawn.topology.coordinates == topology.coordinates).all()
        drawn = read(tmp_path / "map.csv", TILES[topology.kind], topology=topology)
    assert drawn.topology == topology
    assert (drawn.patterns == solution.patterns).all()
    assert (drawn.array == solution.array).all()


@pytest.mark.parametrize("ending", ["json", "npz", "csv"])
def test_graphs_come_back(tmp_path, ending):
    solution = on(GRAPH)
    solution.save(tmp_path / f"map.{ending}")
    given = {"topology": GRAPH} if ending == "csv" else {}
    drawn = read(tmp_path / f"map.{ending}", RULES, **given)
    assert drawn.topology == GRAPH
    assert (drawn.patterns == solution.patterns).all()
    assert drawn.pins[1, "c"] in ("red", "blue")


def test_graphs_have_no_place_in_tiled_or_in_space(tmp_path):
    for ending, message in (
        ("tmx", "Tiled supports square"),
        ("tmj", "Tiled supports"),
        ("glb", "hex and cube"),
    ):
        with pytest.raises(wf.ConfigError, match=message):
            on(GRAPH).save(tmp_path / f"map.{ending}")
    assert list(tmp_path.iterdir()) == []


SAMPLE = np.random.default_rng(5).integers(0, 2, (6, 6, 3)).astype(np.uint8) * 255
LEARNED = {
    "colours": lambda: wf.learn(SAMPLE, n=2),
    "opacity": lambda: wf.learn(np.dstack([SAMPLE, SAMPLE[..., :1]]), n=2),
    "words": lambda: wf.learn([["a", "b", "a"], ["b", "a", "c"], ["a", "b", "a"]], n=2),
    "numbers": lambda: wf.learn_adjacency(np.array([[1, 2, 3], [2, 3, 1]])),
    "mixed": lambda: wf.learn_adjacency([[1, "1", 2.5], [True, (1, 2), None]]),
    "a table": lambda: wf.TileSet.from_allowed(["a", "b"], np.ones((4, 2, 2), bool)),
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("make", LEARNED.values(), ids=LEARNED.keys())
def test_learned_sets_come_back_with_the_set(tmp_path, make, ending):
    tiles = make()
    solution = anything(tiles, wf.SquareGrid(7, 5))
    solution.save(tmp_path / f"map.{ending}")
    drawn = read(tmp_path / f"map.{ending}", tiles)
    assert (drawn.patterns == solution.patterns).all()
    problem = wf.Problem(tiles, drawn.topology, pins=drawn.pins)
    assert [pin.patterns.tolist() for pin in problem.pins] == [[each] for each in solution.patterns]
    with pytest.raises(wf.TileSetError, match="pass the tiles"):
        read(tmp_path / f"map.{ending}")


@pytest.mark.parametrize("ending", ["json", "npz", "csv", "tmx", "tmj"])
@pytest.mark.parametrize("place", ["square", "holes", "disk", "flat disk", "cubes"])
def test_undecided_cells_stay_undecided(tmp_path, place, ending):
    partial = undecide_half(LATTICES[place])
    partial.save(tmp_path / f"map.{ending}")
    drawn = read(tmp_path / f"map.{ending}", partial.problem.tiles, topology=LATTICES[place])
    assert (drawn.patterns == partial.patterns).all()
    assert drawn.seed is None
    assert len(drawn.pins) == (partial.patterns >= 0).sum()
    assert drawn.names.count(None) == (partial.patterns < 0).sum()


def test_partial_maps_that_run_out_of_budget_can_be_kept(tmp_path):
    with pytest.raises(wf.OutOfBudget) as caught:
        wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(9, 9), budget=5)
    for number, write in enumerate((write_json_map, write_npz_map, write_csv_map)):
        path = tmp_path / f"map.{('json', 'npz', 'csv')[number]}"
        write(caught.value.partial, path)
        drawn = read(path, wf.TileSet.load("pipes"))
        assert (drawn.patterns == caught.value.partial.patterns).all()
        assert wf.generate(drawn.tiles, drawn.topology, pins=drawn.pins)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("place", ["square", "disk", "cubes"])
def test_the_same_map_gives_the_same_bytes(tmp_path, place, ending):
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder, slow in zip(folders, (0.1, 7.5), strict=True):
        folder.mkdir()
        solution = on(LATTICES[place])
        solution.stats.seconds["solve"] = slow
        solution.save(folder / f"map.{ending}")
    written = [{file.name: file.read_bytes() for file in folder.iterdir()} for folder in folders]
    assert written[0] == written[1]


@pytest.mark.parametrize("ending", ENDINGS)
def test_rules_that_changed_since_are_warned_about(tmp_path, ending):
    solution = on(LATTICES["square"])
    solution.save(tmp_path / f"map.{ending}")
    heavier = wf.TileSet([wf.Tile(tile.name, tile.sockets, 9, tile.symmetry, levels=tile.levels) for tile in
                          TILES["square"].tiles])  # fmt: skip
    if ending in UNSEEN:
        assert (read(tmp_path / "map.csv", heavier).patterns == solution.patterns).all()
        return
    with pytest.warns(wf.TileSetWarning, match="was made with other rules than the tile set 'made up' has"):
        drawn = read(tmp_path / f"map.{ending}", heavier)
    assert (drawn.patterns == solution.patterns).all()


@pytest.mark.parametrize("ending", ENDINGS)
def test_unknown_patterns_are_named_with_their_cell_and_the_nearest(tmp_path, ending):
    tiles = wf.TileSet([wf.Tile("meadow"), wf.Tile("water")])
    anything(tiles, wf.SquareGrid(2, 2)).save(tmp_path / f"map.{ending}")
    others = wf.TileSet([wf.Tile("meadows"), wf.Tile("water")])
    with pytest.raises(wf.FormatError) as caught:
        read(tmp_path / f"map.{ending}", others)
    for part in (f"map.{ending}", "column", "row", "no pattern 'meadow'; did you mean 'meadows'?"):
        assert part in str(caught.value)


@pytest.mark.parametrize("ending", ENDINGS)
def test_tiles_must_be_for_such_cells(tmp_path, ending):
    on(LATTICES["disk"]).save(tmp_path / f"map.{ending}")
    with pytest.raises(wf.TileSetError, match="has hex cells, but these tiles are drawn for square cells"):
        read(tmp_path / f"map.{ending}", TILES["square"])
    with pytest.raises(wf.TileSetError, match="tiles must be a TileSet"):
        read(tmp_path / f"map.{ending}", "pipes")


def test_patterns_that_share_a_name_are_refused(tmp_path):
    rules = wf.Rules(["a", "a"], [wf.Relation.from_allowed(np.ones((2, 2), bool))] * 4, topology="square")
    for ending in ENDINGS:
        with pytest.raises(wf.ConfigError, match="a name of its own"):
            anything(rules, wf.SquareGrid(2, 2)).save(tmp_path / f"map.{ending}")
    assert list(tmp_path.iterdir()) == []


def test_other_endings_are_refused_with_those_that_are_known(tmp_path):
    with pytest.raises(
        wf.FormatError, match=r"unknown ending; known: \.csv, \.json, \.ldtk, \.npz, \.tmj, \.tmx"
    ):
        read(tmp_path / "map.xlsx")
    with pytest.raises(wf.FormatError, match="cannot read"):
        read(tmp_path / "nothing.json")
    on(LATTICES["square"]).save(tmp_path / "map.json")
    with pytest.raises(wf.ConfigError, match="has no layers"):
        read(tmp_path / "map.json", TILES["square"], layer="ground")
    with pytest.raises(wf.ConfigError, match="must be a grid"):
        read(tmp_path / "map.json", TILES["square"], topology=(3, 4))


def test_the_topology_given_must_have_the_same_cells(tmp_path):
    on(wf.SquareGrid(3, 2)).save(tmp_path / "map.json")
    drawn = read(tmp_path / "map.json", TILES["square"], topology=wf.SquareGrid(3, 2, wraps=True))
    assert drawn.topology == wf.SquareGrid(3, 2, wraps=True)
    for other in (wf.SquareGrid(2, 3), wf.SquareGrid(3, 3), wf.CubeGrid(3, 2, 1)):
        with pytest.raises(wf.FormatError, match="is a map of SquareGrid"):
            read(tmp_path / "map.json", TILES["square"], topology=other)
