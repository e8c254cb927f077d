"""Numba types for structs of arrays: `wave.words` is an array whose address and shape are in a table."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic, models, overload_attribute, register_model

from wavefold.kernels.array_struct import ArrayStruct, ArrayType

WHOLE = ir.IntType(64)


class StructType(types.Type):
    """The Numba type of a struct class: a pointer to the table of a struct."""

    def __init__(self, struct: type[ArrayStruct]) -> None:
        self.columns = struct.columns
        super().__init__(name=struct.__name__)


register_model(StructType)(models.OpaqueModel)


@cache
def struct_type(struct: type[ArrayStruct]) -> StructType:
    """Return the Numba type of a struct class, and register its columns as attributes."""
    for name in struct.columns:
        register_column(name)
    return StructType(struct)


@cache
def register_column(name: str) -> None:
    """Register an attribute for the columns of this name in all structs."""

    @overload_attribute(StructType, name, strict=False)
    def read_column(struct: StructType) -> Callable[[Any], Any] | None:
        offset = 0  # in the table, which has an address and a shape for each column
        for column, array in struct.columns.items():
            if column == name:
                reader = make_reader(array, offset)
                reader.__qualname__ = f"{struct.name}.{name}"  # becomes part of the symbol, so it is unique
                return reader
            offset += 1 + array.rank
        return None


def make_reader(array: ArrayType, offset: int) -> Callable[[Any], Any]:
    """Return a function that creates the array described at an offset of the table."""
    address = load_number(offset, types.CPointer(getattr(types, str(array.dtype))))
    size = [load_number(offset + 1 + axis, types.int64) for axis in range(array.rank)]
    a, b, c, d = (*size, *[None] * (4 - len(size)))
    readers: list[Callable[[Any], Any]] = [
        lambda struct: carray(address(struct), (a(struct),)),
        lambda struct: carray(address(struct), (a(struct), b(struct))),
        lambda struct: carray(address(struct), (a(struct), b(struct), c(struct))),
        lambda struct: carray(address(struct), (a(struct), b(struct), c(struct), d(struct))),
    ]
    return readers[array.rank - 1]


def load_number(position: int, kind: Any) -> Any:
    """Return an intrinsic that loads an integer or an address from the table of a struct."""

    @intrinsic
    def load(_typing: Any, struct: Any) -> Any:
        def build(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            table = builder.bitcast(arguments[0], WHOLE.as_pointer())
            number = builder.load(builder.gep(table, [ir.Constant(WHOLE, position)]))
            # The table does not change during a call, so LLVM may move these loads out of loops.
            number.set_metadata("invariant.load", builder.module.add_metadata([]))
            return number if kind is types.int64 else builder.inttoptr(number, context.get_value_type(kind))

        return kind(struct), build

    return load
