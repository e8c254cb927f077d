"""What every topology must do."""

from __future__ import annotations

from contextlib import suppress
from copy import copy

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.kernels.constants import NOWHERE
from wavefold.topology import Lattice, Topology


class TopologyContract:
    """Provide a `topology` fixture, and get the tests every topology must pass."""

    def test_stepping_there_and_back_returns_home(self, topology: Topology) -> None:
        graph = topology.graph()
        for direction, back in enumerate(graph.opposite):
            there = graph.neighbour[:, direction]
            home = np.flatnonzero(there != NOWHERE)
            assert (graph.neighbour[there[home], back] == home).all()

    def test_the_opposite_of_the_opposite_is_the_direction_itself(self, topology: Topology) -> None:
        opposite = topology.graph().opposite
        assert opposite[opposite].tolist() == list(range(len(topology.directions)))

    def test_arrays_have_the_types_kernels_were_compiled_for(self, topology: Topology) -> None:
        graph = topology.graph()
        sides = len(topology.directions)
        assert graph.neighbour.shape == (topology.cell_count, sides)
        assert graph.opposite.shape == graph.rule.shape == (sides,)
        for array in graph:
            assert array.dtype == np.int32
            assert array.flags.c_contiguous
            assert array.flags.writeable, "Numba compiles kernels again for read-only arrays"

    def test_neighbours_are_cells_or_nowhere(self, topology: Topology) -> None:
        neighbour = topology.graph().neighbour
        assert ((neighbour >= NOWHERE) & (neighbour < topology.cell_count)).all()

    def test_the_rule_of_a_side_determines_the_rule_of_the_other(self, topology: Topology) -> None:
        _, opposite, rule = topology.graph()
        pairs = set(zip(rule.tolist(), rule[opposite].tolist(), strict=True))
        assert len(pairs) == len(set(rule.tolist()))
        assert all(each >= 0 for each in rule)

    def test_the_graph_is_made_once(self, topology: Topology) -> None:
        assert topology.graph() is topology.graph()

    def test_there_are_cells_and_they_are_counted(self, topology: Topology) -> None:
        assert len(topology) == topology.cell_count >= 1

    def test_every_direction_has_its_own_name(self, topology: Topology) -> None:
        assert len(set(topology.directions)) == len(topology.directions)

    def test_every_cell_can_be_written_found_and_described(self, topology: Topology) -> None:
        cells = range(topology.cell_count)
        assert [topology.cell_at(topology.coordinate(cell)) for cell in cells] == list(cells)
        assert len({topology.describe(cell) for cell in cells}) == topology.cell_count

    def test_every_cell_can_be_drawn_around_its_centre(self, topology: Topology) -> None:
        for cell in range(topology.cell_count):
            outline = np.array(topology.outline(cell))
            assert outline.ndim == 2
            assert outline.shape[0] >= 3
            assert outline.shape[1] == 2
            assert np.allclose(outline.mean(axis=0), topology.centre(cell))

    def test_a_cell_that_does_not_exist_is_refused_with_a_reason(self, topology: Topology) -> None:
        for ask in (topology.describe, topology.coordinate, topology.centre, topology.outline):
            for cell in (-1, topology.cell_count):
                with suppress(ConfigError):
                    ask(cell)
                    raise AssertionError(f"{ask.__name__}({cell}) answered")

    def test_scanning_and_spiralling_visit_every_cell_once(self, topology: Topology) -> None:
        assert topology.scan().tolist() == list(range(topology.cell_count))
        for order in (topology.scan(), topology.spiral()):
            assert order.dtype == np.int32
            assert order.flags.c_contiguous
            assert sorted(order.tolist()) == list(range(topology.cell_count))

    def test_the_spiral_never_turns_inwards(self, topology: Topology) -> None:
        centrality = topology.centrality
        assert centrality.dtype == np.int64
        assert centrality.shape == (topology.cell_count,)
        assert (np.diff(centrality[topology.spiral()]) >= 0).all()

    def test_a_copy_is_equal_and_hashes_alike(self, topology: Topology) -> None:
        assert copy(topology) == topology
        assert hash(copy(topology)) == hash(topology)

    def test_values_laid_out_in_an_array_can_be_read_back(self, topology: Topology) -> None:
        if not isinstance(topology, Lattice):
            assert topology.shape is None
            return
        array = topology.to_array(np.arange(topology.cell_count))
        assert array.shape == topology.shape
        assert array[array != -1].tolist() == list(range(topology.cell_count))
        places = topology.coordinates - topology.coordinates.min(axis=0)
        if np.prod(places.max(axis=0) + 1) == array.size:  # else a mask emptied a whole edge of the box
            assert array[tuple(places.T[::-1])].tolist() == list(range(topology.cell_count))

    def test_neighbours_lie_one_step_away(self, topology: Topology) -> None:
        if not isinstance(topology, Lattice):
            return
        coordinates: NDArray[np.int32] = topology.coordinates
        assert coordinates.dtype == np.int32
        assert coordinates.shape == (topology.cell_count, topology.steps.shape[1])
        graph = topology.graph()
        span = np.array(topology.shape[::-1])
        for direction, step in enumerate(topology.steps):
            there = graph.neighbour[:, direction]
            home = np.flatnonzero(there != NOWHERE)
            walked = coordinates[there[home]] - coordinates[home] - step
            assert (walked % span == 0).all(), "only a wrapped axis may lead further than one step"
            assert (topology.steps[graph.opposite[direction]] == -step).all()
