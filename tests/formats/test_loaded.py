"""A map that comes back edited: what was changed, what is pinned, and how it is mended."""

import json

import numpy as np
import pytest
from map_solutions import GRAPH, LATTICES, RULES, TILES, anything, on, read

import wavefold as wf


@pytest.fixture(scope="module")
def original():
    return wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(8, 6), seed=4)


def edited(folder, solution, changes):
    """Save for Tiled, and paint tiles by their full names over some cells, as a designer would."""
    solution.save(folder / "map.tmj")
    document = json.loads((folder / "map.tmj").read_text("utf-8"))
    names = solution.problem.rules.names
    for (x, y), name in changes.items():
        document["layers"][0]["data"][y * document["width"] + x] = names.index(name) + 1
    (folder / "map.tmj").write_text(json.dumps(document))
    return folder / "map.tmj"


def test_edit_in_tiled_bring_it_back_and_mend_it(tmp_path, original):
    rules = original.problem.rules
    old = rules.names[original.array[2, 3]]
    new = next(name for name in rules.names if name != old and not fits(original, (3, 2), name))
    drawn = read(edited(tmp_path, original, {(3, 2): new}))
    assert drawn.differences(original) == [(3, 2)]
    problem = drawn.problem()
    assert wf.check(problem, wf.Solution(problem, drawn.patterns, wf.Statistics(), 0))
    mended = wf.repair(problem, drawn.patterns, keep=drawn.differences(original))
    assert not wf.check(problem, mended.solution)
    assert rules.names[mended.solution.array[2, 3]] == new
    assert 0 < len(mended.changed) <= 12
    assert (mended.solution.patterns != original.patterns).sum() == len(mended.changed) + 1


def fits(solution, place, name):
    changed = solution.patterns.copy()
    changed[solution.problem.cell(place)] = solution.problem.rules.names.index(name)
    return not wf.check(solution.problem, wf.Solution(solution.problem, changed, wf.Statistics(), 0))


@pytest.mark.parametrize("ending", ["json", "npz", "csv", "tmx", "tmj"])
def test_the_original_may_be_a_file_a_map_or_an_array(tmp_path, original, ending):
    original.save(tmp_path / f"original.{ending}")
    patterns = original.patterns.copy()
    patterns[[5, 20]] = (patterns[[5, 20]] + 1) % len(original.problem.rules)
    changed = wf.Solution(original.problem, patterns, wf.Statistics(), 0)
    changed.save(tmp_path / f"edited.{ending}")
    drawn = read(tmp_path / f"edited.{ending}", original.problem.tiles)
    for before in (
        tmp_path / f"original.{ending}",
        str(tmp_path / f"original.{ending}"),
        original,
        original.patterns,
        original.patterns.tolist(),
        read(tmp_path / f"original.{ending}", original.problem.tiles),
    ):
        assert drawn.differences(before) == [(5, 0), (4, 2)]
    assert drawn.differences(drawn) == []


def test_differences_are_of_names_not_of_numbers(tmp_path):
    one = wf.TileSet([wf.Tile("a"), wf.Tile("b")])
    other = wf.TileSet([wf.Tile("b"), wf.Tile("a")])
    topology = wf.SquareGrid(4, 1)
    first = wf.Solution(wf.Problem(one, topology), np.array([0, 1, 0, 1]), wf.Statistics(), 0)
    second = wf.Solution(wf.Problem(other, topology), np.array([1, 0, 0, 0]), wf.Statistics(), 0)
    second.save(tmp_path / "map.json")
    assert read(tmp_path / "map.json", other).differences(first) == [(2, 0)]


@pytest.mark.parametrize("before", [[0, 1], np.zeros(20), np.full(20, 99), np.full(20, -2), "nowhere.json"])
def test_what_cannot_be_compared_is_refused(tmp_path, before):
    on(LATTICES["square"]).save(tmp_path / "map.json")
    drawn = read(tmp_path / "map.json", TILES["square"])
    with pytest.raises((wf.ConfigError, wf.FormatError)):
        drawn.differences(before)


@pytest.mark.parametrize("place", ["square", "holes", "disk", "flat rectangle", "cubes"])
def test_pins_are_exactly_the_patterns(tmp_path, place):
    topology = LATTICES[place]
    solution = on(topology)
    solution.save(tmp_path / "map.json")
    drawn = read(tmp_path / "map.json", TILES[topology.kind])
    assert len(drawn.pins) == topology.cell_count
    problem = drawn.problem(pins=drawn.pins)
    assert {pin.cell: pin.patterns.tolist() for pin in problem.pins} == {
        cell: [number] for cell, number in enumerate(solution.patterns.tolist())
    }


def test_pins_of_graphs(tmp_path):
    solution = on(GRAPH)
    solution.save(tmp_path / "map.json")
    drawn = read(tmp_path / "map.json", RULES)
    assert set(drawn.pins) == set(GRAPH.cells)
    assert drawn.problem(pins=drawn.pins).pins


def test_a_few_cells_drawn_in_tiled_are_the_start_of_a_map(tmp_path, original):
    sketch = wf.Partial(original.problem, np.full((48, 1), 3, np.uint64))
    sketch.save(tmp_path / "map.tmj")
    document = json.loads((tmp_path / "map.tmj").read_text("utf-8"))
    assert set(document["layers"][0]["data"]) == {0}
    document["layers"][0]["data"][9] = 5
    (tmp_path / "map.tmj").write_text(json.dumps(document))
    drawn = read(tmp_path / "map.tmj")
    solution = wf.generate(drawn.tiles, drawn.topology, pins=drawn.pins)
    assert solution.array[1, 1] == 4


def test_a_map_tells_what_it_is(tmp_path):
    on(LATTICES["square"]).save(tmp_path / "map.json")
    drawn = read(tmp_path / "map.json", TILES["square"])
    assert repr(drawn).startswith("LoadedMap('")
    assert "SquareGrid(5, 4), 20 of 20 cells" in repr(drawn)
    assert drawn.rules is TILES["square"].rules
    assert drawn.source == tmp_path / "map.json"


def test_other_spellings_of_a_pattern_are_understood(tmp_path):
    tiles = wf.TileSet([wf.Tile("bar", symmetry="I"), wf.Tile("dot", symmetry="X")])
    anything(tiles, wf.SquareGrid(3, 1)).save(tmp_path / "map.csv")
    (tmp_path / "map.csv").write_text("x,y,pattern\n0,0,bar@180\n1,0,dot@m\n2,0,bar@90\n")
    names = read(tmp_path / "map.csv", tiles).names
    assert names[:2] == ["bar", "dot"]
    assert names[2] in tiles.rules.names
