"""The queue of cells: a tree of minima gives the lowest key, always."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import CASTLE, WORLDS, import_probes
from wavefold.kernels import constants as c
from wavefold.kernels.bits import shuffle_cells
from wavefold.kernels.choose import cell_tree
from wavefold.solver.engine.cell_queue import create_cell_queue, fill_queue
from wavefold.solver.engine.engine import Engine

probes = import_probes()
pytestmark = pytest.mark.build


def create_empty_queue(cells):
    problem = wf.Problem(CASTLE, wf.SquareGrid(cells, 1))
    queue = create_cell_queue(problem, wf.Heuristics(order="domain"))
    shuffle_cells(queue, 3, 0, cells)
    queue.tree[0, :cells] = cell_tree.NOTHING
    cell_tree.build_trees(queue)
    return queue


@given(
    st.sampled_from((1, 2, 15, 16, 17, 256, 257, 300)).flatmap(
        lambda cells: st.tuples(
            st.just(cells),
            st.lists(st.tuples(st.integers(0, cells - 1), st.integers(-1, 5)), min_size=1, max_size=80),
        )
    )
)
def test_the_lowest_key_comes_first_whatever_changed(given):
    cells, changes = given
    queue, model = create_empty_queue(cells), {}
    for cell, key in changes:
        probes.set_key(queue, cell, key)
        model[cell] = key
        undecided = [each for each in model if model[each] >= 0]
        first = min(undecided, key=lambda each: (model[each], queue.rank[each]), default=c.NOWHERE)
        assert probes.find_first_cell(queue) == first
    kept = queue.tree.copy()
    cell_tree.build_trees(queue)
    assert (queue.tree == kept).all()


@pytest.mark.parametrize("world", ["castle", "pipes", "petersen"])
@pytest.mark.parametrize("name", ["entropy", "domain", "both"])
@pytest.mark.parametrize("degree", [0.0, 0.5])
def test_keys_are_up_to_date_after_every_step(world, name, degree):
    heuristics = wf.Heuristics(order=name, degree=degree, central=name == "both")
    engine = Engine(WORLDS[world](), heuristics)
    engine.begin(1)
    compared = 0
    for _ in range(60):
        if engine.advance(one_transition=True) != c.WATCHED:
            break
        if engine.is_choosing:
            fresh = create_cell_queue(engine.problem, heuristics)
            for _ in fill_queue(fresh, engine.wave, engine.table, engine.graph, 1):
                pass
            assert (fresh.tree == engine.queue.tree).all()
            compared += 1
    assert compared
