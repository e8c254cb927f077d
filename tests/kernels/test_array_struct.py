"""Structs of arrays: arrays under one name, of the types kernels were compiled for."""

from dataclasses import dataclass

import numpy as np
import pytest

from wavefold.kernels.array_struct import ArrayStruct
from wavefold.kernels.jit import kernel
from wavefold.kernels.structs import KernelGraph


@dataclass(frozen=True, eq=False)
class Pair(ArrayStruct):
    """For these tests."""

    first: np.ndarray
    second: np.ndarray


@kernel
def total(pair):
    pair.second[0, 1] = 7
    return pair.first.sum() + pair.second.size


def pair(length=3):
    return Pair(np.arange(length, dtype=np.int64), np.zeros((2, length)))


def test_a_kernel_reads_and_writes_the_arrays_themselves():
    struct = pair()
    assert total(struct) == 3 + 6
    assert struct.second[0, 1] == 7


def test_arrays_may_be_exchanged_for_others_of_the_same_type():
    changed = pair().with_changes(first=np.arange(10, dtype=np.int64))
    assert total(changed) == 45 + 6


@pytest.mark.parametrize(
    "wrong",
    [
        np.arange(3, dtype=np.int32),
        np.arange(3.0),
        np.zeros((3, 1), np.int64),
        np.arange(6, dtype=np.int64)[::2],
    ],
)
def test_an_array_of_another_type_or_order_is_refused(wrong):
    pair()
    with pytest.raises(TypeError, match="Pair needs"):
        Pair(wrong, np.zeros((2, 3)))


def test_a_read_only_array_is_refused():
    pair()
    frozen = np.arange(3, dtype=np.int64)
    frozen.flags.writeable = False
    with pytest.raises(TypeError, match="Pair needs writeable arrays"):
        Pair(frozen, np.zeros((2, 3)))


def test_the_fields_of_a_struct_cannot_be_set():
    with pytest.raises(AttributeError):
        pair().first = np.arange(3)


def test_a_graph_of_wide_numbers_is_refused():
    numbers = np.zeros((2, 4), np.int64)
    with pytest.raises(TypeError, match="Graph needs arrays"):
        KernelGraph(np.zeros((2, 4), np.int32), np.zeros(4, np.int32), np.zeros(4, np.int32)).with_changes(
            neighbour=numbers
        )
