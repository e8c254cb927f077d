"""Maps as JSON: the schema, and what is said about a file that does not follow it."""

import json
from pathlib import Path

import numpy as np
import pytest
from map_solutions import GRAPH, LATTICES, TILES, anything, on, read, undecide_half

import wavefold as wf
from wavefold.formats import json as json_format
from wavefold.formats import nodes, schema
from wavefold.formats.schema import MapDocument, json_schema, parse_fields

SCHEMA = Path(__file__).parents[2] / "docs" / "guide" / "map.schema.json"


def written(folder, solution, **options):
    solution.save(folder / "map.json", **options)
    return json.loads((folder / "map.json").read_text("utf-8"))


def test_what_a_file_says(tmp_path):
    tiles = wf.TileSet([wf.Tile("a", symmetry=("0", "90")), wf.Tile("b"), wf.Tile("c")], name="letters")
    problem = wf.Problem(tiles, wf.SquareGrid(3, 2, wraps=(True, False)))
    stats = wf.Statistics(decisions=4, order="scanline", seconds={"solve": 0.5})
    solution = wf.Solution(problem, np.array([0, 1, 3, 1, 0, 0]), stats, 7)
    found = written(tmp_path, solution)
    assert found.pop("statistics")["decisions"] == 4
    assert found == {
        "format": "wavefold map",
        "version": 1,
        "wavefold": wf.__version__,
        "content_version": wf.CONTENT_VERSION,
        "seed": 7,
        "tileset": {"name": "letters", "digest": tiles.rules.digest, "topology": "square", "patterns": 4},
        "topology": {"kind": "square", "width": 3, "height": 2, "wraps": [True, False]},
        "origin": [0, 0],
        "palette": [
            {"pattern": "a", "tile": "a"},
            {"pattern": "a@90", "tile": "a"},
            {"pattern": "c", "tile": "c"},
        ],
        "cells": [[0, 1, 2], [1, 0, 0]],
    }


def test_times_are_written_only_when_asked_for(tmp_path):
    assert "seconds" not in written(tmp_path, on(LATTICES["square"]))["statistics"]
    assert written(tmp_path, on(LATTICES["square"]), timings=True)["statistics"]["seconds"] == {"solve": 0.25}


def test_places_without_a_cell_and_undecided_cells_are_null(tmp_path):
    topology = LATTICES["holes"]
    found = written(tmp_path, undecide_half(topology))
    assert found["topology"]["mask"] == [".##", "#.#", "##."]
    assert found["seed"] is None
    assert found["cells"][0][0] is None  # no cell
    assert found["cells"][0][1] is None  # undecided
    assert found["cells"][0][2] is not None


def test_layers_of_cubes_are_lists_of_rows(tmp_path):
    found = written(tmp_path, on(wf.CubeGrid(3, 4, 2)))
    assert np.array(found["cells"]).shape == (2, 4, 3)


def test_hexagons_tell_where_their_box_begins(tmp_path):
    assert written(tmp_path, on(wf.HexGrid(3)))["origin"] == [-3, -3]
    assert written(tmp_path, on(wf.HexGrid.rectangle(4, 5)))["origin"] == [-2, 0]
    masked = wf.HexGrid(2, mask=np.arange(25).reshape(5, 5) > 7)
    assert written(tmp_path, on(masked))["origin"] == [-2, -2]


def test_colours_are_lists_and_what_json_cannot_hold_is_left_out(tmp_path):
    tiles = wf.learn_adjacency(np.array([[[1, 2, 3], [4, 5, 6]]], np.uint8))
    values = [each["value"] for each in written(tmp_path, anything(tiles, wf.SquareGrid(9, 9)))["palette"]]
    assert values == [[1, 2, 3], [4, 5, 6]]
    tiles = wf.learn_adjacency([["a", 2.5, (1, b"x"), 1e999]])
    values = [
        each.get("value") for each in written(tmp_path, anything(tiles, wf.SquareGrid(9, 9)))["palette"]
    ]
    assert values == ["a", 2.5, None, None]


def test_seeds_may_be_long(tmp_path):
    solution = on(LATTICES["square"])
    solution.seed = 2**64 - 1
    for ending in ("json", "npz", "tmx", "tmj"):
        solution.save(tmp_path / f"map.{ending}")
        assert read(tmp_path / f"map.{ending}", TILES["square"]).seed == 2**64 - 1


def test_the_schema_in_the_documentation_is_the_one_that_is_checked():
    assert json.loads(SCHEMA.read_text("utf-8")) == json_schema()


@pytest.mark.parametrize("topology", [*LATTICES.values(), GRAPH], ids=[*LATTICES, "graph"])
def test_what_is_written_follows_the_schema(tmp_path, topology):
    assert parse_fields(MapDocument, written(tmp_path, on(topology)), tmp_path / "map.json")


def test_fields_of_others_are_passed_over(tmp_path):
    found = written(tmp_path, on(LATTICES["square"]))
    found["author"] = "me"
    found["topology"]["colour"] = "red"
    (tmp_path / "map.json").write_text(json.dumps(found))
    assert read(tmp_path / "map.json", TILES["square"]).topology == LATTICES["square"]


# --- what is wrong ----------------------------------------------------------------------------------

WRONG = {
    "no map": (
        ("format", "a picture"),
        "is not a wavefold map: field 'format' is 'a picture'; expected 'wavefold map'",
    ),
    "newer": (("version", 2), "has version 2 of the format; wavefold .* reads version 1: install a newer"),
    "no version": (("version", "1"), r"version must be 1, not '1'"),
    "no topology": (("topology", None), r"topology must be an object, not null"),
    "strange": (
        ("topology", {"kind": "sphere"}),
        r"unknown topology 'sphere'; known: square, hex, cube, graph",
    ),
    "no width": (("topology", {"kind": "square", "height": 2}), r"field 'topology\.width' is missing"),
    "text": (
        ("topology", {"kind": "square", "width": "5", "height": 4}),
        r"topology\.width must be a whole number",
    ),
    "negative": (
        ("topology", {"kind": "square", "width": -5, "height": 4}),
        r"must be a number from 1, not -5",
    ),
    "huge": (
        ("topology", {"kind": "square", "width": 1 << 12, "height": 1 << 12}),
        r"topology: it has room for 16,777,216 cells; at most 4,194,304",
    ),
    "immense": (("topology", {"kind": "square", "width": 1 << 22, "height": 1 << 22}), "topology: a grid of"),
    "huge hex": (
        ("topology", {"kind": "hex", "form": "disk", "layout": "pointy", "radius": 2000}),
        "at most 4,194,304 can be read",
    ),
    "no radius": (
        ("topology", {"kind": "hex", "form": "disk", "layout": "flat"}),
        "topology: radius must be",
    ),
    "wrapped disk": (
        ("topology", {"kind": "hex", "form": "disk", "layout": "flat", "radius": 1, "wraps": [True, True]}),
        "a hex disk cannot wrap",
    ),
    "small mask": (
        ("topology", {"kind": "square", "width": 5, "height": 4, "mask": ["#"]}),
        "mask has shape",
    ),
    "torn mask": (("topology", {"kind": "square", "width": 2, "height": 2, "mask": ["##", "#"]}), "the same"),
    "odd mask": (("topology", {"kind": "square", "width": 1, "height": 1, "mask": ["x"]}), "rows of # and"),
    "no cell": (("topology", {"kind": "square", "width": 1, "height": 1, "mask": ["."]}), "excludes all"),
    "loop": (("topology", {"kind": "graph", "cells": [1], "edges": [[1, 1, ""]]}), "to itself"),
    "odd cells": (("topology", {"kind": "graph", "cells": [{}], "edges": []}), "a cell of a graph is text"),
    "deep": (("topology", {"kind": "graph", "cells": [[[[[[[[[[[]]]]]]]]]]], "edges": []}), "too deeply"),
    "star": (
        ("topology", {"kind": "graph", "cells": [], "edges": [[0, each, ""] for each in range(1, 9000)]}),
        "too many edges",
    ),
    "no rows": (("cells", []), "cells: must be a list of 4; found 0 of them"),
    "no list": (("cells", [[0] * 5, [0] * 5, 3, [0] * 5]), r"cells\[2\]: must be a list of 5; found 3"),
    "short": (("cells", [[0] * 5, [0] * 4, [0] * 5, [0] * 5]), r"cells\[1\]: must be a list of 5; found 4"),
    "outside": (
        ("cells", [[0] * 5, [0, 99, 0, 0, 0], [0] * 5, [0] * 5]),
        r"cells\[1\]\[1\]: must be null or",
    ),
    "below": (("cells", [[-1] * 5] * 4), r"cells\[0\]\[0\]: must be null or an index in the palette"),
    "truth": (("cells", [[True] * 5] * 4), r"cells\[0\]\[0\]: must be null or .*; found True"),
    "huge number": (("cells", [[1 << 70] * 5] * 4), r"cells\[0\]\[0\]: must be null or"),
    "palette": (("palette", [{"tile": "a"}]), r"field 'palette\[0\]\.pattern' is missing"),
    "seed": (("seed", 1.5), "seed must be a whole number, not 1.5"),
    "set": (("tileset", {"name": 3}), r"tileset\.name must be text, in quotes, not 3"),
}


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG.keys())
def test_what_does_not_follow_the_schema_is_refused_with_its_place(tmp_path, change, message):
    found = written(tmp_path, on(LATTICES["square"]))
    found[change[0]] = change[1]
    (tmp_path / "map.json").write_text(json.dumps(found))
    with pytest.raises(wf.FormatError, match=message) as caught:
        read(tmp_path / "map.json", TILES["square"])
    assert "map.json" in str(caught.value)


def test_nothing_may_be_where_there_is_no_cell(tmp_path):
    found = written(tmp_path, on(LATTICES["holes"]))
    found["cells"][1][1] = 0
    (tmp_path / "map.json").write_text(json.dumps(found))
    with pytest.raises(
        wf.FormatError, match=r"cells\[1\]\[1\]: must be null; the topology has no cell there"
    ):
        read(tmp_path / "map.json", TILES["square"])


def test_a_map_of_tiled_with_this_ending_is_recognised(tmp_path):
    on(LATTICES["square"]).save(tmp_path / "map.tmj")
    (tmp_path / "map.tmj").rename(tmp_path / "map.json")
    with pytest.raises(wf.FormatError, match=r"is a map of Tiled; its ending must be \.tmj"):
        read(tmp_path / "map.json", TILES["square"])


def test_a_map_that_could_not_be_read_again_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr(json_format, "MOST_BYTES", 100)
    with pytest.raises(wf.ConfigError, match=r"too large to be read again as JSON; save it as \.npz"):
        on(LATTICES["square"]).save(tmp_path / "map.json")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_too_large_is_refused(tmp_path, monkeypatch):
    on(LATTICES["square"]).save(tmp_path / "map.json")
    monkeypatch.setattr(nodes, "MOST_BYTES", 100)
    with pytest.raises(wf.FormatError, match="larger than 100 bytes"):
        read(tmp_path / "map.json", TILES["square"])


def test_names_that_no_file_can_hold_are_refused(tmp_path):
    solution = anything(wf.TileSet([wf.Tile("half \ud800")]), wf.SquareGrid(2, 2))
    for ending in ("json", "npz", "csv", "tmx", "tmj"):
        with pytest.raises(wf.ConfigError, match="cannot"):
            solution.save(tmp_path / f"map.{ending}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["a\nb", "a\tb", "tab\rline", "<&>\"'", "  spaced ", "ünïcödé ☃ 𝄞", "# = + 1"]
)
def test_strange_names_survive_every_format(tmp_path, name):
    tiles = wf.TileSet([wf.Tile(name), wf.Tile("plain")])
    solution = anything(tiles, wf.SquareGrid(3, 3))
    for ending in ("json", "npz", "csv", "tmx", "tmj"):
        solution.save(tmp_path / f"map.{ending}")
        assert (read(tmp_path / f"map.{ending}", tiles).patterns == solution.patterns).all()


def test_cells_of_graphs_that_no_file_can_hold_are_refused(tmp_path):
    graph = wf.Graph([(1.5, "b")])
    with pytest.raises(wf.ConfigError, match=r"the cell 1\.5 of the graph cannot be written"):
        on(graph).save(tmp_path / "map.json")


def test_topologies_of_others_are_refused(tmp_path):
    from wavefold.topology.base import TopologyPart

    part = TopologyPart(wf.SquareGrid(3, 3), [0, 1, 2])
    with pytest.raises(wf.ConfigError, match="a TopologyPart cannot be written to a file"):
        anything(TILES["square"], part).save(tmp_path / "map.json")
    assert schema.MOST_CELLS == 1 << 22
