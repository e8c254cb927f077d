"""Graphs: the contract on many of them, slots proved minimal, and every message."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavefold.errors import ConfigError
from wavefold.kernels.constants import NOWHERE
from wavefold.testing import TopologyContract
from wavefold.topology import Graph

TRIANGLE = [("a", "b"), ("b", "c"), ("c", "a")]
FAMILY = [("ann", "bob", "parent"), ("ann", "cid", "parent"), ("bob", "cid", "elder"), ("cid", "dot")]

GRAPHS = [
    Graph([], cells=["alone"]),
    Graph([("a", "b")]),
    Graph([("a", "b"), ("b", "a")]),
    Graph(TRIANGLE),
    Graph(FAMILY),
    Graph([(0, leaf) for leaf in range(1, 9)]),
    Graph([(a, b) for a in range(6) for b in range(6) if a != b]),
    Graph(TRIANGLE, cells=["c", "x"], mask=["b"]),
]


class TestGraph(TopologyContract):
    @pytest.fixture(params=GRAPHS, ids=repr)
    def topology(self, request):
        return request.param


def edges_in(graph):
    """Every edge (a, b, label) found in the arrays, read through the slots ahead."""
    arrays = graph.graph()
    found = Counter()
    for slot, rule in enumerate(arrays.rule.tolist()):
        if rule % 2 == 0:
            for source, target in enumerate(arrays.neighbour[:, slot].tolist()):
                if target != NOWHERE:
                    found[graph.cells[source], graph.cells[target], graph.labels[rule // 2]] += 1
    return found


def busiest(edges, label):
    """The most edges of this label that leave one cell, or enter one."""
    mine = [edge for edge in edges if edge[2] == label]
    ends = [Counter(source for source, _, _ in mine), Counter(target for _, target, _ in mine)]
    return max(max(counts.values()) for counts in ends)


@st.composite
def graphs(draw):
    cells = st.integers(0, 12)
    edge = st.tuples(cells, cells, st.sampled_from(["", "road", 3])).filter(lambda e: e[0] != e[1])
    return Graph(draw(st.lists(edge, max_size=80)), cells=range(draw(st.integers(1, 14))))


@given(graphs())
def test_any_graph_keeps_the_contract(graph):
    contract = TopologyContract()
    tests = [name for name in dir(contract) if name.startswith("test_")]
    assert tests
    for name in tests:
        getattr(contract, name)(graph)


@given(graphs())
def test_the_arrays_hold_every_edge_exactly_once(graph):
    assert edges_in(graph) == Counter(graph.edges)


@given(graphs())
def test_every_label_has_as_many_slots_as_its_busiest_cell_needs(graph):
    assert graph.slots == tuple(busiest(graph.edges, label) for label in graph.labels)
    assert len(graph.directions) == 2 * sum(graph.slots)


def test_a_long_chain_written_back_and_forth_needs_two_slots():
    forth = [(each, each + 1) if each % 2 else (each + 1, each) for each in range(2000)]
    shuffled = [forth[index] for index in np.random.default_rng(5).permutation(2000)]
    graph = Graph(shuffled)
    assert graph.slots == (2,)
    assert edges_in(graph) == Counter(graph.edges)


def test_a_cell_may_have_many_more_neighbours_than_others():
    assert Graph([(0, leaf) for leaf in range(1, 300)]).slots == (299,)


def test_cells_come_in_order_of_appearance_unless_listed():
    assert Graph([("b", "a"), ("a", "c")]).cells == ("b", "a", "c")
    assert Graph([("b", "a"), ("a", "c")], cells=["c", "alone"]).cells == ("c", "alone", "b", "a")


def test_directions_are_named_after_label_and_slot():
    graph = Graph(FAMILY)
    assert graph.labels == ("parent", "elder", "")
    assert graph.slots == (2, 1, 1)
    parents = ("parent→1", "parent→2", "parent←1", "parent←2")
    assert graph.directions == (*parents, "elder→1", "elder←1", "→1", "←1")
    assert graph.graph().rule.tolist() == [0, 0, 1, 1, 2, 3, 4, 5]
    assert graph.graph().opposite.tolist() == [2, 3, 0, 1, 5, 4, 7, 6]


def test_duplicate_edges_are_dropped_but_labels_and_ways_are_told_apart():
    assert len(Graph([("a", "b"), ("a", "b"), ("a", "b", "")]).edges) == 1
    assert len(Graph([("a", "b"), ("a", "b", "road"), ("b", "a")]).edges) == 3


def test_a_masked_graph_equals_the_graph_written_without_those_cells():
    masked = Graph([*TRIANGLE, ("c", "d")], mask={"b"})
    assert masked == Graph([("c", "a"), ("c", "d")], cells=["a", "c", "d"])
    assert hash(masked) == hash(Graph([("c", "a"), ("c", "d")], cells=["a", "c", "d"]))


def test_edges_may_come_as_an_array_or_a_generator():
    assert Graph(np.array([[0, 1], [1, 2]])) == Graph((n, n + 1) for n in range(2))


def test_a_cell_is_described_as_its_user_would_write_it():
    graph = Graph([((0, 1), "b")])
    assert [graph.describe(cell) for cell in range(2)] == ["(0, 1)", "'b'"]
    assert graph.cell_at((0, 1)) == 0


def test_a_graph_has_no_shape_and_no_corners():
    graph = Graph(TRIANGLE)
    with pytest.raises(ConfigError, match="a graph has no rows and columns"):
        graph.to_array([1, 2, 3])
    with pytest.raises(ConfigError, match="a graph has no southeast corner"):
        graph.scan("southeast")
    with pytest.raises(ConfigError, match=r"unknown corner 'souteast'; did you mean 'southeast'\?"):
        graph.scan("souteast")


def test_cells_are_drawn_apart():
    graph = Graph([(each, each + 1) for each in range(9)])
    centres = np.array([graph.centre(cell) for cell in range(10)])
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2) + 9 * np.eye(10)
    assert apart.min() > 1.5


def test_an_unknown_cell_gets_a_suggestion():
    with pytest.raises(ConfigError, match=r"there is no cell 'anna' in the graph; did you mean 'ann'\?"):
        Graph(FAMILY).cell_at("anna")
    with pytest.raises(ConfigError, match="a cell must be hashable"):
        Graph(FAMILY).cell_at(["ann"])


@pytest.mark.parametrize("edge", ["ab", ("a",), ("a", "b", "c", "d"), {"a", "b"}, 7, None])
def test_what_is_not_an_edge_is_refused(edge):
    with pytest.raises(ConfigError, match=r"an edge must be \(a, b\) or \(a, b, label\), not "):
        Graph([("a", "b"), edge])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"edges": [("a", "a")]}, r"joins a cell to itself"),
        ({"edges": [("a", ["b"])]}, r"edge \('a', \['b'\]\): a cell must be hashable"),
        ({"edges": [("a", "b", {})]}, r"a label must be hashable, .*, not \{\}"),
        ({"edges": []}, "a graph needs at least one cell"),
        ({"edges": None}, "edges must be a list .*, not None"),
        ({"edges": [], "cells": 5}, "cells must be a list .*, not 5"),
        ({"edges": [], "cells": ["a", "a"]}, "cells lists 'a' twice"),
        ({"edges": [], "cells": [["a"]]}, "a cell must be hashable"),
        ({"edges": TRIANGLE, "mask": ["a", "b", "c"]}, "the mask excludes all cells"),
        ({"edges": TRIANGLE, "mask": ["z"]}, "mask: 'z' is not a cell of the graph"),
        ({"edges": TRIANGLE, "mask": [["a"]]}, "a cell must be hashable"),
        ({"edges": [(0, n) for n in range(1, 40_000)]}, "40,000 cells with 79,998 directions each"),
    ],
)
def test_a_graph_that_cannot_be_built_says_why(arguments, message):
    with pytest.raises(ConfigError, match=message):
        Graph(**arguments)


def test_a_graph_reads_as_a_summary():
    assert repr(Graph(TRIANGLE)) == "<Graph: 3 cells, 3 edges>"
    assert repr(Graph(FAMILY)) == "<Graph: 4 cells, 4 edges, labels 'parent', 'elder'>"
