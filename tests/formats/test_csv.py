"""Maps as tables."""

import csv

import numpy as np
import pytest
from map_solutions import GRAPH, LATTICES, RULES, TILES, anything, on, read, undecide_half

import wavefold as wf


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_table_has_a_line_for_each_cell(tmp_path):
    solution = on(LATTICES["square"])
    solution.save(tmp_path / "map.csv")
    rows = rows_of(tmp_path / "map.csv")
    assert list(rows[0]) == ["x", "y", "pattern", "tile", "number"]
    assert [(int(row["x"]), int(row["y"])) for row in rows] == [(x, y) for y in range(4) for x in range(5)]
    assert [int(row["number"]) for row in rows] == solution.patterns.tolist()
    names = solution.problem.rules.names
    assert [row["pattern"] for row in rows] == [names[each] for each in solution.patterns]
    assert [row["tile"] for row in rows] == solution.values.ravel().tolist()


def test_tables_of_other_cells(tmp_path):
    for place, axes in (("disk", ["q", "r"]), ("cubes", ["x", "y", "z"])):
        on(LATTICES[place]).save(tmp_path / "map.csv")
        assert list(rows_of(tmp_path / "map.csv")[0])[: len(axes)] == axes
    on(GRAPH).save(tmp_path / "map.csv")
    assert [row["cell"] for row in rows_of(tmp_path / "map.csv")] == ["lonely", "a", "b", '[1, "c"]', "7"]


def test_undecided_cells_of_a_table_are_empty(tmp_path):
    undecide_half(LATTICES["square"]).save(tmp_path / "map.csv")
    rows = rows_of(tmp_path / "map.csv")
    assert set(rows[0].values()) == {"0", ""}
    assert rows[1]["pattern"]


def test_tables_of_learned_sets_have_values(tmp_path):
    for sample, values in (
        (np.array([[[1, 2, 255], [4, 5, 6]]], np.uint8), {"#0102ff", "#040506"}),
        ([["a", 3]], {"a", "3"}),
    ):
        anything(wf.learn_adjacency(sample), wf.SquareGrid(5, 5)).save(tmp_path / "map.csv")
        assert {row["value"] for row in rows_of(tmp_path / "map.csv")} == values


def test_columns_may_stand_in_any_order_and_lines_too(tmp_path):
    (tmp_path / "map.csv").write_text("pattern,note,y,x\nb,,1,0\na,,0,0\n\n,,0,1\nb@90,here,1,1\n")
    tiles = wf.TileSet([wf.Tile("a"), wf.Tile("b", symmetry=("0", "90"))])
    drawn = read(tmp_path / "map.csv", tiles)
    assert drawn.names == ["a", None, "b", "b@90"]
    assert drawn.topology == wf.SquareGrid(2, 2)
    assert drawn.pins == {(0, 0): "a", (0, 1): "b@0", (1, 1): "b@90"}


def test_missing_lines_are_missing_cells(tmp_path):
    (tmp_path / "map.csv").write_text("x,y,pattern\n0,0,a\n1,1,a\n")
    drawn = read(tmp_path / "map.csv", wf.TileSet([wf.Tile("a")]))
    assert drawn.topology == wf.SquareGrid(2, 2, mask=np.eye(2, dtype=bool))


TABLES = {
    "empty": ("", "line 1: expected the columns x,y,pattern"),
    "no header": ("0,0,a\n", "line 1: expected the columns"),
    "twice": ("x,y,x,pattern\n", "each once"),
    "no lines": ("x,y,pattern\n", "has 0 cells"),
    "short": ("x,y,pattern\n1,2\n", "line 2: has 2 fields; expected 3"),
    "no number": ("x,y,pattern\n0,1.5,a\n", "line 2: coordinates must be whole numbers, not 0, 1.5"),
    "huge number": (f"x,y,pattern\n0,{'9' * 5000},a\n", "line 2: coordinates must be whole numbers"),
    "double": ("x,y,pattern\n0,1,a\n0,1,a\n", r"line 3: cell \(0, 1\) is also on line 2"),
    "far": ("x,y,pattern\n0,0,a\n9999999,9999999,a\n", "has .* cells; at most"),
    "far hex": ("q,r,pattern\n0,0,a\n9999999,-9999999,a\n", "steps from the middle"),
    "quotes": ('x,y,pattern\n0,0,"a\n', "line 2: not valid CSV"),
    "graph": ("cell,pattern\na,red\n", "without its edges"),
}


@pytest.mark.parametrize(("text", "message"), TABLES.values(), ids=TABLES.keys())
def test_tables_that_are_not_a_map_are_refused(tmp_path, text, message):
    (tmp_path / "map.csv").write_text(text)
    with pytest.raises(wf.FormatError, match=message):
        read(tmp_path / "map.csv", wf.TileSet([wf.Tile("a")]))


def test_tables_of_graphs_name_its_cells(tmp_path):
    (tmp_path / "map.csv").write_text("cell,pattern\na,red\nnobody,red\n")
    with pytest.raises(wf.FormatError, match="line 3: cell 'nobody' occurs twice or is not in the graph"):
        read(tmp_path / "map.csv", RULES, topology=GRAPH)
    (tmp_path / "map.csv").write_text("cell,pattern\na,red\na,red\n")
    with pytest.raises(wf.FormatError, match="line 3: cell 'a' occurs twice or is not in the graph"):
        read(tmp_path / "map.csv", RULES, topology=GRAPH)


def test_tables_must_fit_the_topology_that_is_given(tmp_path):
    (tmp_path / "map.csv").write_text("x,y,pattern\n0,0,a\n3,0,a\n")
    tiles = wf.TileSet([wf.Tile("a")])
    assert read(tmp_path / "map.csv", tiles, topology=wf.SquareGrid(4, 1)).names == ["a", None, None, "a"]
    with pytest.raises(wf.FormatError, match=r"there is no cell at column 3, row 0: this grid has columns"):
        read(tmp_path / "map.csv", tiles, topology=wf.SquareGrid(3, 1))
    for other in (wf.CubeGrid(4, 1, 1), wf.HexGrid(3), GRAPH):
        with pytest.raises(wf.FormatError, match=r"has square cells, but the topology is "):
            read(tmp_path / "map.csv", tiles, topology=other)


def test_text_that_is_not_utf8_is_refused(tmp_path):
    (tmp_path / "map.csv").write_bytes(b"x,y,pattern\n0,0,\xff\xfe")
    with pytest.raises(wf.FormatError, match="not valid UTF-8"):
        read(tmp_path / "map.csv", TILES["square"])
