"""Functions that only kernels call are merged into them, and have no machine code of their own."""

import numpy as np
import pytest

from support import compiled_only
from wavefold.kernels import jit
from wavefold.kernels.kernel_store import KernelStore


@jit.inner
def add_one(numbers: np.ndarray, at: int) -> None:
    numbers[at] += 1


@jit.inner
def add_two(numbers: np.ndarray, at: int) -> None:
    add_one(numbers, at)
    add_one(numbers, at)


@jit.kernel
def add_two_to_each(numbers: np.ndarray) -> int:
    for at in range(numbers.size):
        add_two(numbers, at)
    return numbers.size


@jit.kernel
def add_four_to_each(numbers: np.ndarray) -> int:
    add_two_to_each(numbers)
    return add_two_to_each(numbers)


def test_a_kernel_calls_functions_and_other_kernels():
    numbers = np.arange(3)
    assert add_four_to_each(numbers) == 3
    assert add_two_to_each(numbers) == 3
    assert numbers.tolist() == [6, 7, 8]


@compiled_only
def test_a_kernel_that_only_a_kernel_called_is_not_made_callable(monkeypatch):
    monkeypatch.setattr(jit, "STORE", KernelStore(()))  # compiled here, not loaded

    @jit.kernel
    def add_six_to_each(numbers: np.ndarray) -> int:
        return add_four_to_each(numbers) + add_two_to_each(numbers)

    assert add_six_to_each(np.arange(2)) == 4
    (compiled,) = add_four_to_each.inner.overloads.values()
    assert compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cpython_wrapper_name) == 0


@compiled_only
def test_python_cannot_call_an_inner_function():
    add_two_to_each(np.arange(3))
    with pytest.raises(TypeError):
        add_one(np.arange(3), 0)


@compiled_only
def test_numbers_that_are_written_in_a_call_need_no_version_of_their_own(monkeypatch):
    monkeypatch.setattr(jit, "STORE", KernelStore(()))

    @jit.inner
    def add(one: int, other: int) -> int:
        return one + other

    @jit.kernel
    def add_up(most: int) -> int:
        total = 0
        for each in range(most):
            total = add(total, each)
        return add(total, 1) + add(total, other=2)

    assert add_up(4) == 15
    assert len(add.overloads) == 1
