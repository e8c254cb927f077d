"""The contracts of topologies and of grids."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.kernels.constants import NOWHERE
from wavefold.reports.checker import check
from wavefold.solver import Problem, Solver
from wavefold.tiles import Tile, TileSet
from wavefold.topology import Lattice, Topology, get_lattice_class, is_lattice


class TopologyContract:
    """Provide a `topology` fixture with topologies of your class. For grids, use `LatticeContract`."""

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
            assert array.flags.writeable, "kernels take writeable arrays only"

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

    def test_only_grids_have_rows_and_columns(self, topology: Topology) -> None:
        assert (topology.shape is not None) == isinstance(topology, Lattice)


class LatticeContract(TopologyContract):
    """Provide a `topology` fixture with grids of your class, including small, wrapped and masked ones."""

    def test_its_kind_is_listed(self, topology: Lattice) -> None:
        assert is_lattice(topology.kind), (
            f"list {topology.kind!r} in BUILT_IN['topology'] of plugins.py; in another package, as an entry "
            "point of the group wavefold.topology"
        )
        assert get_lattice_class(topology.kind) is type(topology)

    def test_every_side_and_every_axis_has_a_name(self, topology: Lattice) -> None:
        assert len(topology.directions) == len(topology.steps)
        assert len(topology.axes) == len(topology.axis_letters) == topology.steps.shape[1]
        assert 1 <= topology.turning_sides <= len(topology.steps)

    def test_the_sides_that_face_each_other_are_those_of_its_kind(self, topology: Lattice) -> None:
        opposite, turning = topology.opposite_sides(), topology.turning_sides
        assert topology.graph().opposite.tolist() == list(opposite)
        for side in range(turning):
            assert opposite[(side + 1) % turning] == (opposite[side] + 1) % turning, (
                "sides 0 … turning_sides - 1 go round clockwise"
            )

    def test_every_cell_has_the_sides_of_its_way(self, topology: Lattice) -> None:
        box = topology.box(*(4 for _ in topology.axes), wraps=True)
        for cell, around in enumerate(box.graph().neighbour):
            ways = box.side_sets or (box.drawn_sides(),)
            sides = ways[sum(box.coordinate(cell)) % len(ways)]
            assert sorted(sides) == np.flatnonzero(around != NOWHERE).tolist(), "set `side_sets`"

    def test_the_outline_shows_the_sides_in_their_order(self, topology: Lattice) -> None:
        box = topology.box(*(4 for _ in topology.axes))
        for cell, around in enumerate(box.graph().neighbour):
            ways = box.side_sets or (range(box.turning_sides),)
            corners = np.array(box.outline(cell))
            middles = (corners + np.roll(corners, -1, axis=0)) / 2
            for side, middle in zip(ways[sum(box.coordinate(cell)) % len(ways)], middles, strict=True):
                if around[side] != NOWHERE:
                    between = np.add(box.centre(cell), box.centre(int(around[side]))) / 2
                    assert np.allclose(middle, between), (
                        f"`outline` must list corners in the order of sides: see {box.directions[side]}"
                    )

    def test_turning_and_mirroring_move_the_sides_of_the_outline(self, topology: Lattice) -> None:
        box, turning = topology.box(*(4 for _ in topology.axes)), topology.turning_sides
        faces = {  # the way from the middle of a cell to the neighbour on each side, as drawn
            side: np.subtract(box.centre(int(there)), box.centre(cell))
            for cell, around in enumerate(box.graph().neighbour)
            for side, there in enumerate(around[:turning])
            if there != NOWHERE
        }
        cos, sin = np.cos(2 * np.pi / turning), np.sin(2 * np.pi / turning)
        for side, (x, y) in faces.items():
            turned, mirrored = faces[(side + 1) % turning], faces[(box.mirror_axis - side) % turning]
            assert np.allclose(turned, (x * cos - y * sin, x * sin + y * cos)), "sides go round clockwise"
            assert np.allclose(mirrored, (-x, y)), "set `mirror_axis` for the side at which the order begins"

    def test_positions_lie_as_drawn_with_neighbours_one_apart(self, topology: Lattice) -> None:
        box = topology.box(*(4 for _ in topology.axes))
        places = np.array(box.positions(box.coordinates.T.astype(np.int64))).T
        for there in box.graph().neighbour.T:
            home = np.flatnonzero(there != NOWHERE)
            apart = np.linalg.norm(places[there[home]] - places[home], axis=1)
            assert np.allclose(apart, 1), "override positions()"
        if len(box.axes) == 2:
            drawn = np.array([box.centre(cell) for cell in range(box.cell_count)])
            size = np.linalg.norm(drawn[1] - drawn[0])  # cells 0 and 1 are neighbours
            assert np.allclose(drawn - drawn[0], (places - places[0]) * size), "override positions()"

    def test_distances_are_the_steps_of_a_shortest_way(self, topology: Lattice) -> None:
        grid = topology.of_width(7)
        found: dict[tuple[int, ...], list[int]] = {}
        for start in grid.spiral()[:2].tolist():  # neighbours, so that they point different ways, if cells do
            steps = count_steps(grid, start)
            for offset, count in zip(
                (grid.coordinates - grid.coordinates[start]).tolist(), steps, strict=True
            ):
                found.setdefault(tuple(offset), []).append(count)
        for offset, counts in found.items():
            if len(counts) == 2:
                assert grid.distance(*offset) == min(counts), f"override distance(): {offset}"

    def test_a_box_has_coordinates_from_zero_on_every_axis(self, topology: Lattice) -> None:
        sizes = (3, 4, 5)[: len(topology.axes)]
        box = topology.box(*sizes)
        assert (box.kind, box.shape, box.cell_count) == (topology.kind, sizes[::-1], prod(sizes))
        assert box.coordinates.min(axis=0).tolist() == [0] * len(sizes)

    def test_a_grid_is_made_again_from_its_parameters(self, topology: Lattice) -> None:
        again = type(topology)(**topology.parameters, wraps=topology.wraps, mask=topology.mask)  # type: ignore[call-arg]
        assert again == topology

    def test_a_map_is_solved_drawn_and_its_tiles_saved(self, topology: Lattice, tmp_path: Path) -> None:
        same = ("any",) * len(topology.drawn_sides())
        tiles = TileSet(
            [Tile("lawn", same, symmetry="X"), Tile("tree", same, symmetry="turned", apart=True)],
            topology.kind,
        )
        problem = Problem(tiles, topology.of_size(*(4 for _ in topology.axes)))
        solution = Solver(problem).run()
        assert check(problem, solution) == []
        assert solution.image().size > (1, 1)
        tiles.save(tmp_path / "tiles.toml")
        assert TileSet.load(tmp_path / "tiles.toml").rules.digest == tiles.rules.digest

    def test_values_laid_out_in_an_array_can_be_read_back(self, topology: Lattice) -> None:
        array = topology.to_array(np.arange(topology.cell_count))
        assert array.shape == topology.shape
        assert array[array != -1].tolist() == list(range(topology.cell_count))
        places = topology.coordinates - topology.coordinates.min(axis=0)
        if np.prod(places.max(axis=0) + 1) == array.size:  # else a mask emptied a whole edge of the box
            assert array[tuple(places.T[::-1])].tolist() == list(range(topology.cell_count))

    def test_neighbours_lie_one_step_away(self, topology: Lattice) -> None:
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


def count_steps(topology: Topology, start: int) -> list[int]:
    """[cell] the number of steps from the start, by the graph."""
    steps = np.full(topology.cell_count, -1)
    steps[start], edge, far = 0, [start], 0
    while edge:
        far += 1
        around = topology.graph().neighbour[edge].ravel()
        edge = list({int(cell) for cell in around if cell != NOWHERE and steps[cell] < 0})
        steps[edge] = far
    return [int(count) for count in steps]
