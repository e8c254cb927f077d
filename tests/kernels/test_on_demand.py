"""Parts of kernels are compiled when they are needed, and give the same numbers whenever that is."""

import ctypes
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

import wavefold as wf
from support import compiled_only
from wavefold.kernels import jit, on_demand
from wavefold.kernels.array_struct import ArrayStruct
from wavefold.kernels.listeners import listen_to_compiler
from wavefold.kernels.naive import propagate_naive


@dataclass(frozen=True, eq=False)
class Numbers(ArrayStruct):
    values: NDArray[np.int64]


@on_demand.on_demand
def add_to_all(numbers: Numbers, amount: int) -> int:
    for i in range(numbers.values.size):
        numbers.values[i] += amount
    return numbers.values.size


@on_demand.on_demand
def clear_all(numbers: Numbers, really: bool) -> None:
    if really:
        for i in range(numbers.values.size):
            numbers.values[i] = 0


@jit.kernel
def change(numbers: Numbers, amount: int) -> int:
    if amount == 0:
        clear_all(numbers, numbers.values[0] > 0)
        return 0
    return add_to_all(numbers, amount)


def test_a_kernel_calls_its_parts_prepared_or_not():
    numbers = Numbers(np.arange(4))
    assert change(numbers, 3) == 4
    assert numbers.values.tolist() == [3, 4, 5, 6]
    on_demand.prepare(clear_all)
    assert change(numbers, 0) == 0
    assert numbers.values.tolist() == [0, 0, 0, 0]


@compiled_only
def test_an_interrupt_in_an_unprepared_part_arrives_after_it(monkeypatch):
    @on_demand.on_demand
    def double_all(numbers: Numbers) -> int:
        for i in range(numbers.values.size):
            numbers.values[i] *= 2
        return 1

    part = on_demand._parts[double_all]
    prepare_now, interrupts = part.prepare, []

    def interrupt_once() -> None:
        if not interrupts:
            interrupts.append("raised")
            raise KeyboardInterrupt
        prepare_now()

    monkeypatch.setattr(part, "prepare", interrupt_once)
    monkeypatch.setattr(on_demand, "interrupt_main", lambda: interrupts.append("arrived"))
    numbers = Numbers(np.arange(3))
    assert part.compile_and_call(numbers.address) == 1
    assert numbers.values.tolist() == [0, 2, 4]
    assert interrupts == ["raised", "arrived"]


@compiled_only
def test_a_part_that_cannot_be_compiled_ends_the_search_with_our_error(monkeypatch):
    part = on_demand._parts[propagate_naive]
    problem = wf.Problem(wf.TileSet.load("castle"), wf.SquareGrid(8, 8))
    solver = wf.Solver(problem, propagation="naive")
    solver.step()
    before, ready = int(part._pointer[0]), part.is_ready

    def fail() -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(part, "prepare", fail)
    part._pointer[0] = ctypes.cast(part._stub, ctypes.c_void_p).value
    part.is_ready = False
    try:
        with pytest.raises(
            wf.WavefoldError, match=r"propagate_naive could not be compiled \(MemoryError: no room"
        ):
            solver.run()
    finally:
        part._pointer[0], part.is_ready = before, ready
    assert wf.check(problem, wf.Solver(problem, propagation="naive").run()) == []  # the next is not affected


@compiled_only
def test_a_kernel_is_prepared_before_it_is_called():
    @jit.kernel
    def sum_all(numbers: Numbers, times: int) -> int:
        return numbers.values.sum() * times

    numbers = Numbers(np.arange(4))
    on_demand.prepare(sum_all)
    names = []
    with listen_to_compiler(names.append):
        assert sum_all(numbers, 2) == 12
    assert names == []
    assert len(sum_all.signatures) == 1
