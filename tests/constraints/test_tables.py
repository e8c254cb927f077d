"""Constraints as tables of files: by kind and keys, there and back."""

import numpy as np
import pytest

import wavefold as wf
from support import PIPES, everything_touches
from wavefold.constraints.tables import build_constraint, tabulate_constraint
from wavefold.plugins.registry import BUILT_IN

TABLES = [
    (wf.Border("wall"), {"kind": "border", "tile": "wall"}),
    (wf.Border(["wall", "gate"], "north", ban=True),
     {"kind": "border", "tile": ["wall", "gate"], "side": "north", "ban": True}),
    (wf.Area("lake", (0, 0, 4, 2)), {"kind": "area", "tile": "lake", "area": (0, 0, 4, 2)}),
    (wf.Count("exit", 1, 1), {"kind": "count", "tile": "exit", "at_least": 1, "at_most": 1}),
    (wf.Connected("floor"), {"kind": "connected", "tiles": "floor"}),
    (wf.Separation("chest", 9), {"kind": "separation", "tile": "chest", "distance": 9}),
    (wf.PairSeparation("a", "b", 2), {"kind": "pair_separation", "first": "a", "second": "b", "distance": 2}),
    (wf.MaxRun("road", 4, "x"), {"kind": "max_run", "tile": "road", "at_most": 4, "axis": "x"}),
    (wf.Parallel("road", 1), {"kind": "parallel", "tile": "road", "at_most": 1}),
    (wf.Room("floor", 9), {"kind": "room", "tile": "floor", "smallest": 9}),
    (wf.Mirror(), {"kind": "mirror"}),
    (wf.Rotational(2), {"kind": "rotational", "order": 2}),
    (wf.Slope("height", "road", 0.5), {"kind": "slope", "field": "height", "tile": "road", "at_most": 0.5}),
]  # fmt: skip


@pytest.mark.parametrize(("constraint", "table"), TABLES, ids=str)
def test_a_constraint_and_its_table_stand_for_each_other(constraint, table):
    assert tabulate_constraint(constraint) == table
    assert build_constraint(table) == constraint


def test_cells_are_lists_in_tables():
    table = {"kind": "reach", "start": [0, 1], "goal": [[3, 1], [3, 2]], "tiles": ["a", "b"]}
    assert build_constraint(table) == wf.Reach((0, 1), [(3, 1), (3, 2)], tiles=["a", "b"])
    polygon = {"kind": "area", "tile": "lake", "area": [[0, 0], [4, 0], [0, 4.5]]}
    assert build_constraint(polygon) == wf.Area("lake", [(0, 0), (4, 0), (0, 4.5)])


def test_every_constraint_of_ours_has_a_kind():
    assert {type(constraint) for constraint, _ in TABLES} <= {
        getattr(wf, target.rpartition(":")[2]) for target in BUILT_IN["constraint"].values()
    }


@pytest.mark.parametrize(
    ("table", "culprit"),
    [
        (
            {"kind": "conected", "tiles": "floor"},
            "unknown kind of constraint 'conected'; did you mean 'connected'",
        ),
        ({"kind": "border", "tiel": "wall"}, "'border' has no key 'tiel'; did you mean 'tile'"),
        ({"kind": "border"}, "'border' needs a key 'tile'"),
        ({"tile": "wall"}, "a constraint must be a table such as"),
        ("border", "a constraint must be a table such as"),
        ({"kind": "count", "tile": "exit", "at_most": -1}, "at least 0, not -1"),
    ],
)
def test_tables_that_stand_for_nothing_are_refused(table, culprit):
    with pytest.raises(wf.ConfigError, match=culprit):
        build_constraint(table)


class Odd:
    def prune(self, view):
        pass


def test_what_no_table_can_hold_is_not_saved():
    with pytest.raises(wf.TileSetError, match="`wavefold plugins` does not list its class"):
        tabulate_constraint(Odd())
    with pytest.raises(wf.TileSetError, match="area must be text"):
        tabulate_constraint(wf.Area("lake", np.ones((2, 2), bool)))


# --- in tile sets -----------------------------------------------------------------------------------


def cross_set(*constraints):
    return wf.TileSet(everything_touches([1, 1]).tiles, constraints=constraints)


def test_a_tile_set_may_bring_constraints_along():
    tiles, grid = cross_set(wf.Count("t1", 3, 3)), wf.SquareGrid(5, 4)
    for seed in range(4):
        assert (wf.generate(tiles, grid, seed=seed).patterns == 1).sum() == 3
    problem = wf.Problem(tiles, grid, constraints=[wf.Count("t0", 17, 17)])
    assert problem.constraints == (wf.Count("t1", 3, 3), wf.Count("t0", 17, 17))
    counts = {int(wf.generate(tiles, grid, seed, own_constraints=False).patterns.sum()) for seed in range(9)}
    assert len(counts) > 1
    assert wf.Problem(tiles, grid, own_constraints=False).constraints == ()


def test_worlds_and_pictures_of_tiles_leave_the_constraints_of_whole_maps_out():
    tiles = wf.TileSet(PIPES.tiles, constraints=[wf.Room("┼", 50), wf.Border(" ")])
    world = wf.World(tiles, seed=1, chunk=16, refine=False)
    assert wf.check(world, 0, 0, 20, 20) == []
    assert tiles.pictures(8).shape[0] == len(tiles)


@pytest.mark.parametrize("constraint", [5, "connected"])
def test_what_is_not_a_constraint_is_refused(constraint):
    with pytest.raises(wf.TileSetError, match="has no method prune"):
        cross_set(constraint)


def test_tile_set_files_hold_constraints(tmp_path):
    tiles = cross_set(wf.Connected("t1"), wf.Count("t1", 2, 5), wf.Area("t0", (0, 0, 2, 1)))
    tiles.save(tmp_path / "set.toml")
    text = (tmp_path / "set.toml").read_text()
    assert '[[constraints]]\nkind = "connected"\ntiles = "t1"\n' in text
    again = wf.TileSet.load(tmp_path / "set.toml")
    assert [tabulate_constraint(each)["kind"] for each in again.constraints] == ["connected", "count", "area"]
    again.save(tmp_path / "again.toml")
    assert (tmp_path / "again.toml").read_text() == text.replace("set.png", "again.png")
    grid = wf.SquareGrid(5, 5)
    assert (wf.generate(again, grid, 3).patterns == wf.generate(tiles, grid, 3).patterns).all()


def test_a_wrong_table_in_a_file_is_reported_with_its_line(tmp_path):
    path = tmp_path / "set.toml"
    path.write_text('format = 1\n[tiles.a]\nsockets = "x"\n\n[[constraints]]\nkind = "cout"\ntile = "a"\n')
    with pytest.raises(wf.FormatError, match=r"\[\[constraints\]\] number 1, line 5: .*did you mean 'count'"):
        wf.TileSet.load(path)
