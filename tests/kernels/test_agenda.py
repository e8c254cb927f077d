"""The queue of cells: a sorted list and a heap with outdated entries give the lowest key, always."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import CASTLE, WORLDS
from wavefold.kernels import cell_queue as agendas
from wavefold.kernels import constants
from wavefold.kernels.jit import kernel
from wavefold.solver.engine.arrays import new_agenda


@kernel
def push(agenda, queue, cell):
    agendas.push(agenda, queue, cell)


@kernel
def pop(agenda, queue, key_wanted):
    return agendas.pop(agenda, queue, key_wanted)


def empty_agenda(cells):
    problem = wf.Problem(CASTLE, wf.SquareGrid(cells, 1))
    agenda = new_agenda(problem, wf.Heuristics(order="domain"), 3)
    agenda.key[0] = constants.DECIDED_KEY
    agenda.untouched[0] = (np.int64(constants.DECIDED_KEY) << constants.RANK_BITS) | np.arange(cells)
    return agenda


def is_heap(agenda):
    size = int(agenda.size[0, 1])
    heap = agenda.heap[0]
    return all(heap[(position - 1) // 2] <= heap[position] for position in range(1, size))


operations = st.lists(
    st.one_of(st.tuples(st.integers(0, 11), st.integers(0, 5)), st.just("pop")), min_size=1, max_size=80
)


@given(operations)
def test_the_lowest_key_comes_first_whatever_was_queued_again(steps):
    agenda = empty_agenda(12)
    model = {}
    for step in steps:
        if step == "pop":
            cell = int(pop(agenda, np.int64(0), np.int64(-1)))
            if not model:
                assert cell == constants.NOWHERE
                continue
            assert cell == min(model, key=lambda each: (model[each], agenda.rank[each]))
            del model[cell]
            agenda.key[0, cell] = constants.DECIDED_KEY
        else:
            cell, key = step
            agenda.key[0, cell] = key
            push(agenda, np.int64(0), np.int64(cell))
            model[cell] = key
        assert is_heap(agenda)
        assert agenda.size[0, 1] <= agenda.heap.shape[1]


def test_only_the_wanted_key_is_taken():
    agenda = empty_agenda(4)
    for cell, key in ((0, 5), (1, 3), (2, 3)):
        agenda.key[0, cell] = key
        push(agenda, np.int64(0), np.int64(cell))
    first = int(pop(agenda, np.int64(0), np.int64(-1)))
    second = int(pop(agenda, np.int64(0), np.int64(3)))
    assert {first, second} == {1, 2}
    assert pop(agenda, np.int64(0), np.int64(3)) == constants.NOWHERE
    assert pop(agenda, np.int64(0), np.int64(5)) == 0


def test_cells_decided_from_the_start_are_never_handed_out():
    agenda = empty_agenda(5)
    assert pop(agenda, np.int64(0), np.int64(-1)) == constants.NOWHERE


@pytest.mark.parametrize("world", ["castle", "pipes", "petersen"])
@pytest.mark.parametrize("name", ["entropy", "domain", "both"])
def test_keys_are_up_to_date_after_every_step(world, name):
    solver = wf.Solver(WORLDS[world](), 1, wf.Heuristics(order=name, degree=0.5, central=name == "both"))
    for _ in range(60):
        if solver.step() in ("solved", "impossible"):
            break
        if solver.status == "contradiction":
            continue
        agenda = solver._engine.agenda
        kept = agenda.key.copy()
        solver._engine.agenda = fresh = solver._engine._new_agenda(1)
        solver._engine.agenda = agenda
        assert (fresh.key == kept).all()
