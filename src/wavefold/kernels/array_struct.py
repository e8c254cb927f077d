"""Records: several arrays under one name, one pointer to compiled code.

Numba passes a tuple of arrays as hundreds of numbers, in every call. A record is the address of a table
of addresses: `wave.words` in a kernel is an ordinary array, and passing `wave` on costs one number.
The table never changes while a kernel runs, and says so, so that loads from it leave the loops.
"""

from __future__ import annotations

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
    """A record in Numba's eyes: its name, and (name, array type) of each field."""

    def __init__(self, title: str, columns: tuple[tuple[str, Any], ...]) -> None:
        self.columns = columns
        super().__init__(name=f"{title}({', '.join(f'{name}: {kind}' for name, kind in columns)})")


class ArrayStruct:
    """Base of frozen dataclasses whose fields are C-ordered arrays. The arrays change, the fields do not."""

    _known: ClassVar[dict[type, tuple[list[Any], ArrayStructType]]] = {}

    def __post_init__(self) -> None:
        # Shapes may differ from record to record, types may not: kernels compile once.
        found: list[Any] = []
        table: list[int] = []
        for array in self.__dict__.values():
            interface = array.__array_interface__
            address, is_read_only = interface["data"]
            if is_read_only or interface["strides"] is not None:
                raise TypeError(f"{type(self).__name__} needs writeable arrays in C order")
            found += (interface["typestr"], len(interface["shape"]))
            table += (address, *interface["shape"])
        if type(self) not in self._known:
            columns = tuple((name, array_type(array)) for name, array in self.__dict__.items())
            self._known[type(self)] = found, ArrayStructType(type(self).__name__, columns)
        expected, kind = self._known[type(self)]
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
        """The same record with some arrays exchanged."""
        return replace(self, **arrays)  # type: ignore[type-var]


def array_type(array: np.ndarray[Any, Any]) -> Any:
    """The type of an array whose strides follow from its shape."""
    return types.Array(from_dtype(array.dtype), array.ndim, "C")


register_model(ArrayStructType)(models.OpaqueModel)


@unbox(ArrayStructType)
def unbox_struct(_kind: Any, record: Any, c: Any) -> Any:
    """A record enters compiled code as the address of its table."""
    number = c.pyapi.object_getattr_string(record, "address")
    address = c.pyapi.long_as_voidptr(number)
    c.pyapi.decref(number)
    return NativeValue(address, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@infer_getattr
class ArrayStructFields(AttributeTemplate):
    """The type of `record.field`."""

    key = ArrayStructType

    def generic_resolve(self, kind: Any, name: str) -> Any:
        """The array type of a field."""
        return dict(kind.columns).get(name)


@lower_getattr_generic(ArrayStructType)
def load_field(context: Any, builder: Any, kind: Any, record: Any, name: str) -> Any:
    """The code of `record.field`: an array that owns nothing, so that nothing is counted."""
    place = 0
    for column, array in kind.columns:
        if column == name:
            break
        place += 1 + array.ndim
    table = builder.bitcast(record, ir.IntType(64).as_pointer())
    never_changes = builder.module.add_metadata([])

    def number(index: int) -> Any:
        load = builder.load(builder.gep(table, [ir.Constant(ir.IntType(64), place + index)]))
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
