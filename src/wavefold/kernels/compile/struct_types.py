"""Structs of arrays for Numba: `wave.words` is an array whose address and shape are in a table."""

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
    """The Numba type of a class of structs: a pointer to the table of a struct."""

    def __init__(self, struct: type[ArrayStruct]) -> None:
        self.columns = struct.columns
        super().__init__(name=struct.__name__)


register_model(StructType)(models.OpaqueModel)


@cache
def struct_type(struct: type[ArrayStruct]) -> StructType:
    """The Numba type of a class of structs, whose columns are attributes from now on."""
    for name in struct.columns:
        register_column(name)
    return StructType(struct)


@cache
def register_column(name: str) -> None:
    """Let kernels read the column of this name, whichever structs have it."""

    @overload_attribute(StructType, name, strict=False)
    def read_column(struct: StructType) -> Callable[[Any], Any] | None:
        offset = 0  # in the table: an address and a shape for each column
        for column, array in struct.columns.items():
            if column == name:
                reader = make_reader(array, offset)
                reader.__qualname__ = f"{struct.name}.{name}"  # part of its symbol, which must be unique
                return reader
            offset += 1 + array.rank
        return None


def make_reader(array: ArrayType, offset: int) -> Callable[[Any], Any]:
    """A function that makes an array of the numbers at an offset of a table."""
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
    """An intrinsic that loads a number of a struct's table, as a whole number or as an address."""

    @intrinsic
    def load(_typing: Any, struct: Any) -> Any:
        def build(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            table = builder.bitcast(arguments[0], WHOLE.as_pointer())
            number = builder.load(builder.gep(table, [ir.Constant(WHOLE, position)]))
            # The table never changes, so LLVM may move these loads out of loops.
            number.set_metadata("invariant.load", builder.module.add_metadata([]))
            return number if kind is types.int64 else builder.inttoptr(number, context.get_value_type(kind))

        return kind(struct), build

    return load
