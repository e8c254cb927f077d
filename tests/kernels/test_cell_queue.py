"""The queue of cells: a sorted list and a heap with outdated entries give the lowest key, always."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import CASTLE, WORLDS, import_probes
from wavefold.kernels import constants
from wavefold.kernels.bits import shuffle_cells
from wavefold.solver.engine.cell_queue import create_cell_queue, fill_queue
from wavefold.solver.engine.engine import Engine

probes = import_probes()
pytestmark = pytest.mark.build


def create_empty_queue(cells):
    problem = wf.Problem(CASTLE, wf.SquareGrid(cells, 1))
    queue = create_cell_queue(problem, wf.Heuristics(order="domain"))
    shuffle_cells(queue, 3, 0, cells)
    queue.key[0] = constants.DECIDED_KEY
    queue.untouched[0] = (np.int64(constants.DECIDED_KEY) << constants.RANK_BITS) | np.arange(cells)
    return queue


def is_heap(queue):
    size = int(queue.size[0, 1])
    heap = queue.heap[0]
    return all(heap[(position - 1) // 2] <= heap[position] for position in range(1, size))


operations = st.lists(
    st.one_of(st.tuples(st.integers(0, 11), st.integers(0, 5)), st.just("pop")), min_size=1, max_size=80
)


@given(operations)
def test_the_lowest_key_comes_first_whatever_was_queued_again(steps):
    queue = create_empty_queue(12)
    model = {}
    for step in steps:
        if step == "pop":
            cell = int(probes.pop(queue, 0, -1))
            if not model:
                assert cell == constants.NOWHERE
                continue
            assert cell == min(model, key=lambda each: (model[each], queue.rank[each]))
            del model[cell]
            queue.key[0, cell] = constants.DECIDED_KEY
        else:
            cell, key = step
            queue.key[0, cell] = key
            probes.push(queue, 0, cell)
            model[cell] = key
        assert is_heap(queue)
        assert queue.size[0, 1] <= queue.heap.shape[1]


def test_only_the_wanted_key_is_taken():
    queue = create_empty_queue(4)
    for cell, key in ((0, 5), (1, 3), (2, 3)):
        queue.key[0, cell] = key
        probes.push(queue, 0, cell)
    first = int(probes.pop(queue, 0, -1))
    second = int(probes.pop(queue, 0, 3))
    assert {first, second} == {1, 2}
    assert probes.pop(queue, 0, 3) == constants.NOWHERE
    assert probes.pop(queue, 0, 5) == 0


def test_cells_decided_from_the_start_are_never_handed_out():
    queue = create_empty_queue(5)
    assert probes.pop(queue, 0, -1) == constants.NOWHERE


@pytest.mark.parametrize("world", ["castle", "pipes", "petersen"])
@pytest.mark.parametrize("name", ["entropy", "domain", "both"])
@pytest.mark.parametrize("degree", [0.0, 0.5])
def test_keys_are_up_to_date_after_every_step(world, name, degree):
    heuristics = wf.Heuristics(order=name, degree=degree, central=name == "both")
    engine = Engine(WORLDS[world](), heuristics)
    engine.begin(1)
    compared = 0
    for _ in range(60):
        if engine.advance(one_transition=True) != constants.WATCHED:
            break
        if engine.is_choosing:
            fresh = create_cell_queue(engine.problem, heuristics)
            for _ in fill_queue(fresh, engine.wave, engine.table, engine.graph, 1):
                pass
            assert (fresh.key == engine.queue.key).all()
            compared += 1
    assert compared
