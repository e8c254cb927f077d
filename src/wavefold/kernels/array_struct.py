"""Structs of arrays: several arrays under one name, passed to compiled code as one pointer.

Numba passes a tuple of arrays as hundreds of numbers, in every call. A struct is the address of a table
of addresses: `wave.words` in a kernel is an ordinary array, and passing `wave` on costs one number.
The table never changes while a kernel runs; its loads are marked invariant, so LLVM moves them out of loops.
"""

from __future__ import annotations

import ctypes
from dataclasses import fields, replace
from typing import Any, ClassVar, Self

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    unbox,
)
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype


class ArrayStructType(types.Type):
    """The Numba type of an `ArrayStruct`: its name, and (name, array type) of each field."""

    def __init__(self, title: str, columns: tuple[tuple[str, Any], ...]) -> None:
        self.columns = columns
        super().__init__(name=f"{title}({', '.join(f'{name}: {kind}' for name, kind in columns)})")


class ArrayStruct:
    """Base of frozen dataclasses whose fields are C-ordered arrays. Kernels may write into the arrays."""

    _registered: ClassVar[dict[type, tuple[list[Any], ArrayStructType]]] = {}

    def __post_init__(self) -> None:
        # Shapes may differ from one instance to the next, types may not: kernels compile once.
        found: list[Any] = []
        table: list[int] = []
        for array in self.__dict__.values():
            interface = array.__array_interface__
            address, is_read_only = interface["data"]
            if is_read_only or interface["strides"] is not None:
                raise TypeError(f"{type(self).__name__} needs writeable arrays in C order")
            found += (interface["typestr"], len(interface["shape"]))
            table += (address, *interface["shape"])
        if type(self) not in self._registered:
            columns = tuple((name, array_type(array)) for name, array in self.__dict__.items())
            self._registered[type(self)] = found, ArrayStructType(type(self).__name__, columns)
        expected, kind = self._registered[type(self)]
        if found != expected:
            raise TypeError(f"{type(self).__name__} needs arrays of these types: {kind}")
        addresses = np.array(table, np.int64)
        self.__dict__.update(_table=addresses, address=addresses.ctypes.data, _numba_type_=kind)

    def arrays(self) -> list[Any]:
        """The arrays, in the order of the fields."""
        return [getattr(self, field.name) for field in fields(self)]

    def __reduce__(self) -> tuple[Any, ...]:
        # An address means nothing in another process, nor in a copy.
        return type(self), tuple(self.arrays())

    def with_changes(self, **arrays: Any) -> Self:
        """The same struct with some arrays replaced."""
        return replace(self, **arrays)  # type: ignore[type-var]


def array_type(array: np.ndarray[Any, Any]) -> Any:
    """The type of an array whose strides follow from its shape."""
    return types.Array(from_dtype(array.dtype), array.ndim, "C")


def find_column(kind: ArrayStructType, name: str) -> tuple[int, Any]:
    """Where in the table of addresses a field begins (its address, then its shape), and its array type."""
    offset = 0
    for column, array in kind.columns:
        if column == name:
            break
        offset += 1 + array.ndim
    return offset, array


def find_array(struct: type[ArrayStruct], address: int, name: str) -> int:
    """The address of a field's data, given that of a struct's table."""
    offset, _ = find_column(ArrayStruct._registered[struct][1], name)
    return ctypes.c_int64.from_address(address + 8 * offset).value


register_model(ArrayStructType)(models.OpaqueModel)


@unbox(ArrayStructType)
def unbox_struct(_kind: Any, struct: Any, c: Any) -> Any:
    """A struct enters compiled code as the address of its table."""
    number = c.pyapi.object_getattr_string(struct, "address")
    address = c.pyapi.long_as_voidptr(number)
    c.pyapi.decref(number)
    return NativeValue(address, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@infer_getattr
class ArrayStructFields(AttributeTemplate):
    """The type of `struct.field`."""

    key = ArrayStructType

    def generic_resolve(self, kind: Any, name: str) -> Any:
        """The array type of a field."""
        return dict(kind.columns).get(name)


@lower_getattr_generic(ArrayStructType)
def load_field(context: Any, builder: Any, kind: Any, struct: Any, name: str) -> Any:
    """The code of `struct.field`: an array that does not own its memory, so no references are counted."""
    offset, array = find_column(kind, name)
    table = builder.bitcast(struct, ir.IntType(64).as_pointer())
    never_changes = builder.module.add_metadata([])

    def number(index: int) -> Any:
        load = builder.load(builder.gep(table, [ir.Constant(ir.IntType(64), offset + index)]))
        load.set_metadata("invariant.load", never_changes)
        return load

    result = context.make_array(array)(context, builder)
    shape = [number(1 + axis) for axis in range(array.ndim)]
    itemsize = context.get_constant(types.intp, array.dtype.bitwidth // 8)
    strides = [itemsize]
    for extent in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], extent))
    data = builder.inttoptr(number(0), result.data.type)
    populate_array(result, data=data, shape=shape, strides=strides, itemsize=itemsize, meminfo=None)
    return result._getvalue()
