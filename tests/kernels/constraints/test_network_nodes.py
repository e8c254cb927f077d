"""Nodes of networks while a search goes on and back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wavefold as wf
from support import PIPES
from wavefold.kernels import constants as c
from wavefold.kernels.constraints.network_nodes import IS_START
from wavefold.solver.constraint import WaveView
from wavefold.solver.engine.engine import Engine
from wavefold.solver.heuristics import Heuristics

LINES = wf.Connected(sides="o")
CORNERS = wf.Connected(tiles=["┌", "┘", "┼"], area=(1, 1, 3, 3))


def compute_nodes(problem, engine, network):
    """Sides and whether it is required, of every cell: the slow way."""
    possible = WaveView(problem, engine.domains).possible
    sides = problem.propagators[network].sides[0].astype(np.int64)
    area = problem.propagators[network].area
    inside = np.ones(problem.cell_count, bool) if area is None else area
    cells = list(zip(possible, inside, strict=True))
    joined = [int(np.bitwise_or.reduce(sides[each])) if is_in else 0 for each, is_in in cells]
    return joined, [bool((sides[each] != 0).all()) and bool(is_in) for each, is_in in cells]


@pytest.mark.parametrize("undo", ["delta", "snapshot"])
@pytest.mark.parametrize("propagation", ["ac3", "ac4", "naive"])
@settings(max_examples=10)
@given(seed=st.integers(0, 99), steps=st.lists(st.booleans(), max_size=25))
def test_nodes_are_up_to_date_after_any_steps_and_undos(propagation, undo, seed, steps):
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 5), constraints=[LINES, CORNERS])
    engine = Engine(problem, Heuristics.of("entropy"), propagation, undo)
    engine.begin(seed)
    for goes_on in steps:
        if goes_on:
            engine.advance(one_transition=True)
        elif engine.depth:
            engine.undo()
        if engine.state[c.NETWORKED] != engine.state[c.TRAIL]:
            continue  # they are brought up to date before the next decision
        for network in range(2):
            joined, required = compute_nodes(problem, engine, network)
            assert engine.wave.joined[network].tolist() == joined
            assert (engine.wave.required[network] & IS_START != 0).tolist() == required


@given(seed=st.integers(0, 999))
def test_what_is_required_is_connected_whenever_the_search_chooses(seed):
    problem = wf.Problem(PIPES, wf.SquareGrid(12, 12), constraints=[LINES])
    engine = Engine(problem, Heuristics.of("entropy"))
    engine.begin(seed)
    while engine.advance(one_transition=True) == c.WATCHED and engine.depth < 60:
        if not engine.is_choosing:
            continue
        joined, required = compute_nodes(problem, engine, 0)
        left = set(np.flatnonzero(joined).tolist())
        line = [cell for cell in np.flatnonzero(required).tolist()[:1] if cell in left]
        left -= set(line)
        while line:
            cell = line.pop()
            for side, other in enumerate(problem.graph.neighbour[cell].tolist()):
                facing = int(problem.graph.opposite[side])
                if other in left and joined[cell] >> side & joined[other] >> facing & 1:
                    left.remove(other)
                    line.append(other)
        assert not any(required[cell] for cell in left)
