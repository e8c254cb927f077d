"""No kernel counts from the end of an array: compiled, an index below zero is an address in front of it."""

import sys

import numpy as np
import pytest

import wavefold as wf
from support import WORLDS
from wavefold.kernels.array_struct import ArrayStruct
from wavefold.kernels.units import COMPILED
from wavefold.solver.engine.rule_table import METHODS, PROPAGATIONS

pytestmark = pytest.mark.skipif(COMPILED, reason="compiled kernels check no index")


class WatchedArray(np.ndarray):
    """An array that refuses indices below zero, if a kernel uses them."""

    def __getitem__(self, index):
        refuse_negative(index)
        return super().__getitem__(index)

    def __setitem__(self, index, value):
        refuse_negative(index)
        super().__setitem__(index, value)


def refuse_negative(index):
    caller = sys._getframe(2).f_globals["__name__"]
    parts = index if isinstance(index, tuple) else (index,)
    if caller.startswith("wavefold.kernels."):
        assert all(isinstance(part, slice) or part >= 0 for part in parts), f"{caller}: index {index}"


@pytest.fixture(autouse=True)
def watched_arrays(monkeypatch):
    def read(struct, name):
        value = object.__getattribute__(struct, name)
        return value.view(WatchedArray) if name in type(struct).columns else value

    monkeypatch.setattr(ArrayStruct, "__getattribute__", read)


def test_an_index_below_zero_in_a_kernel_is_noticed():
    scope = {"__name__": "wavefold.kernels.example"}
    exec("def read(array, index): return array[index]", scope)
    array = np.arange(3).view(WatchedArray)
    assert scope["read"](array, 2) == array[-1] == 2
    with pytest.raises(AssertionError, match=r"kernels\.example: index -1"):
        scope["read"](array, -1)


@pytest.mark.parametrize("propagation", [*PROPAGATIONS, *METHODS])
@pytest.mark.parametrize("world", ["pipes", "tinted", "kinds apart", "hex rivers", "petersen"])
def test_no_kernel_of_a_search_uses_an_index_below_zero(world, propagation):
    problem = WORLDS[world]()
    for order in ("entropy", "rows"):
        try:
            wf.Solver(problem, 3, order, propagation).run(400)
        except (wf.OutOfBudget, wf.Contradiction, wf.ConfigError):
            continue  # a method that cannot do this, or a hard problem: it has run


@pytest.mark.parametrize("world", ["pipes", "tinted", "castle"])
def test_no_kernel_of_refining_uses_an_index_below_zero(world):
    wf.Solver(WORLDS[world](), 3).run().refine(2, seed=1)
