"""Structs of arrays: arrays under one name, of the types kernels were compiled for."""

import ctypes
import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from wavefold.kernels.array_struct import ArrayStruct, Float64Array2, Int64Array1
from wavefold.kernels.structs import KernelGraph


@dataclass(frozen=True, eq=False)
class Pair(ArrayStruct):
    """For these tests."""

    first: Int64Array1
    second: Float64Array2


def pair(length=3):
    return Pair(np.arange(length, dtype=np.int64), np.zeros((2, length)))


def read_table(struct):
    """The numbers that a kernel finds."""
    return list(ctypes.cast(struct.address, ctypes.POINTER(ctypes.c_int64))[:5])


def test_the_table_has_the_address_and_the_shape_of_every_array():
    struct = pair()
    first, second = (array.__array_interface__["data"][0] for array in struct.arrays())
    assert read_table(struct) == [first, 3, second, 2, 3]


def test_arrays_may_be_exchanged_for_others_of_the_same_type():
    struct = pair()
    changed = struct.with_changes(first=np.arange(10, dtype=np.int64))
    assert read_table(changed)[1] == 10
    assert read_table(struct)[1] == 3
    assert changed.second is struct.second


def test_a_copy_has_a_table_of_its_own():
    struct = pair()
    copy = pickle.loads(pickle.dumps(struct))
    assert copy.address != struct.address
    assert (copy.first == struct.first).all()


@pytest.mark.parametrize(
    "wrong",
    [
        np.arange(3, dtype=np.int32),
        np.arange(3.0),
        np.zeros((3, 1), np.int64),
        np.arange(6, dtype=np.int64)[::2],
        np.arange(3, dtype=">i8"),
    ],
)
def test_an_array_of_another_type_or_order_is_refused(wrong):
    pair()
    with pytest.raises(TypeError, match=r"Pair.first needs an array int64\[1\]"):
        Pair(wrong, np.zeros((2, 3)))


@pytest.mark.parametrize("base", [ArrayStruct, Pair])
def test_a_struct_without_fields_is_refused(base):
    with pytest.raises(TypeError, match="the struct Empty needs a field"):
        type("Empty", (base,), {})


@pytest.mark.parametrize("wrong", [[1, 2, 3], None, 5])
def test_what_is_no_array_is_refused(wrong):
    with pytest.raises(TypeError, match=r"Pair.first needs an array, not (list|NoneType|int)"):
        Pair(wrong, np.zeros((2, 3)))


def test_a_read_only_array_is_refused():
    pair()
    frozen = np.arange(3, dtype=np.int64)
    frozen.flags.writeable = False
    with pytest.raises(TypeError, match=r"Pair.first needs .*writeable.* read-only"):
        Pair(frozen, np.zeros((2, 3)))


def test_the_fields_of_a_struct_cannot_be_set():
    with pytest.raises(AttributeError):
        pair().first = np.arange(3)


def test_a_graph_of_wide_numbers_is_refused():
    numbers = np.zeros((2, 4), np.int64)
    with pytest.raises(TypeError, match=r"KernelGraph.neighbour needs an array int32\[2\]"):
        KernelGraph(np.zeros((2, 4), np.int32), np.zeros(4, np.int32), np.zeros(4, np.int32)).with_changes(
            neighbour=numbers
        )
