"""What the build puts in place of functions of `bits` and `vectors`: instructions, wrapping arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model
from numba.np import arrayobj

from wavefold.kernels import bits, vectors

WHOLE = ir.IntType(64)
TRUE = ir.Constant(ir.IntType(1), 1)

OPTIONS: dict[str, Any] = {"boundscheck": False, "error_model": "numpy"}
REPLACEMENTS: dict[Callable[..., Any], Any] = {}  # {function: what compiled code calls instead}


def read_index(context: Any, builder: Any, kind: Any, index: Any, _size: Any) -> Any:
    """An index of an array, which is never negative: Numba would add the size to one that is."""
    return context.cast(builder, index, kind, types.intp)


arrayobj.fix_integer_index = read_index


def replace_by_intrinsic(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """Decorator of a function that types an instruction and returns its code."""

    def register(typed: Any) -> Any:
        REPLACEMENTS[function] = intrinsic(typed)
        return REPLACEMENTS[function]

    return register


def replace_by_compiled(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """Decorator of another version of a function, for compiled code."""

    def register(version: Any) -> Any:
        REPLACEMENTS[function] = numba.njit(version, **OPTIONS)
        return REPLACEMENTS[function]

    return register


def declare(builder: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    """A function of this name in the module that is built; declared once."""
    if not name.startswith("llvm."):
        llvm.add_symbol(name, 1)  # an address that is never used, but Numba's linker must find one
    found = builder.module.globals.get(name)
    return found or ir.Function(builder.module, ir.FunctionType(result, arguments), name)


# --- words ----------------------------------------------------------------------------------------


@replace_by_intrinsic(bits.lowest_bit)
def lowest_bit(_typing: Any, word: Any) -> Any:
    """Count trailing zeros; of a zero, any number."""
    return types.int64(types.uint64), lambda _context, builder, _signature, given: builder.cttz(
        given[0], TRUE
    )


@replace_by_intrinsic(bits.leading_zeros)
def leading_zeros(_typing: Any, word: Any) -> Any:
    """Count leading zeros; of a zero, any number."""
    return types.int64(types.uint64), lambda _context, builder, _signature, given: builder.ctlz(
        given[0], TRUE
    )


@replace_by_intrinsic(bits.count_bits)
def count_bits(_typing: Any, word: Any) -> Any:
    """Count ones."""
    return types.int64(types.uint64), lambda _context, builder, _signature, given: builder.ctpop(given[0])


@replace_by_intrinsic(bits.call4)
def call4(_typing: Any, address: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Call a function by its address. What the symbol stands for differs between targets: see `module`."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.call(declare(builder, "call_address", WHOLE, [WHOLE] * 5), given)

    return types.int64(*[types.int64] * 5), build


@replace_by_intrinsic(bits.can_call)
def can_call(_typing: Any) -> Any:
    """Whether there are addresses of functions: see `module`."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.trunc(
            builder.call(declare(builder, "can_call_address", WHOLE, []), given), ir.IntType(1)
        )

    return types.boolean(), build


@replace_by_compiled(bits.to_unsigned)
def to_unsigned(number: int) -> np.uint64:
    """The same 64 bits, read without a sign."""
    return np.uint64(number)


@replace_by_compiled(bits.mix_bits)
def mix_bits(word: np.uint64) -> np.uint64:
    """Scramble a word (the finaliser of SplitMix64)."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@replace_by_compiled(bits.multiply_golden)
def multiply_golden(word: np.uint64) -> np.uint64:
    """Spread the bits of a word over its upper ones."""
    return word * np.uint64(bits.GOLDEN)


@replace_by_compiled(bits.draw)
def draw(seed: int, number: int) -> np.uint64:
    """The `number`th 64-bit draw of a seed."""
    return mix_bits(np.uint64(seed) + np.uint64(number + 1) * np.uint64(bits.GOLDEN))


# --- rows -----------------------------------------------------------------------------------------


class RowType(types.Type):
    """The Numba type of a row of so many words."""

    def __init__(self, words: int) -> None:
        self.vector = ir.VectorType(WHOLE, words)
        self.zeros = ir.Constant(self.vector, [0] * words)
        super().__init__(f"Row({words})")


@register_model(RowType)
class RowModel(models.PrimitiveModel):
    """A row in LLVM: a vector."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.vector)


row_type, quad_type = RowType(vectors.ROW), RowType(vectors.QUAD)


@intrinsic
def load_row_at(_typing: Any, address: Any) -> Any:
    """The row at an address."""
    return row_type(types.int64), build_load(row_type)


@intrinsic
def load_quad_at(_typing: Any, address: Any) -> Any:
    """The quad at an address."""
    return quad_type(types.int64), build_load(quad_type)


def build_load(kind: RowType) -> Any:
    """The code that reads a row of this type."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.load(builder.inttoptr(given[0], kind.vector.as_pointer()), align=8)

    return build


@intrinsic
def store_row_at(_typing: Any, address: Any, row: Any) -> Any:
    """Write a row to an address."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        builder.store(given[1], builder.inttoptr(given[0], row.vector.as_pointer()), align=8)
        return ir.Constant(WHOLE, 0)

    return types.int64(types.int64, row), build


@replace_by_compiled(vectors.load_row)
def load_row(array: Any, at: Any) -> Any:
    """The eight words of an array from `at` on."""
    return load_row_at(np.int64(array.ctypes.data) + np.int64(at) * 8)


@replace_by_compiled(vectors.load_quad)
def load_quad(array: Any, at: Any) -> Any:
    """The four words of an array from `at` on."""
    return load_quad_at(np.int64(array.ctypes.data) + np.int64(at) * 8)


@replace_by_compiled(vectors.store_row)
def store_row(array: Any, at: Any, row: Any) -> None:
    """Write a row into an array from `at` on."""
    store_row_at(np.int64(array.ctypes.data) + np.int64(at) * 8, row)


@replace_by_intrinsic(vectors.empty_row)
def empty_row(_typing: Any) -> Any:
    """Eight zeros."""
    return row_type(), lambda *_: row_type.zeros


@replace_by_intrinsic(vectors.empty_quad)
def empty_quad(_typing: Any) -> Any:
    """Four zeros."""
    return quad_type(), lambda *_: quad_type.zeros


@replace_by_intrinsic(vectors.intersect)
def intersect(_typing: Any, one: Any, other: Any) -> Any:
    """And."""
    return one(one, other), lambda _context, builder, _signature, given: builder.and_(*given)


@replace_by_intrinsic(vectors.unite)
def unite(_typing: Any, one: Any, other: Any) -> Any:
    """Or."""
    return one(one, other), lambda _context, builder, _signature, given: builder.or_(*given)


@replace_by_intrinsic(vectors.subtract)
def subtract(_typing: Any, one: Any, other: Any) -> Any:
    """And not."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.and_(given[0], builder.not_(given[1]))

    return one(one, other), build


@replace_by_intrinsic(vectors.is_empty)
def is_empty(_typing: Any, row: Any) -> Any:
    """Compare with zeros, all words at once."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        flags = ir.IntType(row.vector.count)
        found = builder.bitcast(builder.icmp_unsigned("!=", given[0], row.zeros), flags)
        return builder.icmp_unsigned("==", found, ir.Constant(flags, 0))

    return types.boolean(row), build


@replace_by_intrinsic(vectors.keep_if)
def keep_if(_typing: Any, kept: Any, row: Any) -> Any:
    """And with all ones or none; a choice could become a branch."""
    vector = row.vector

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        mask: Any = ir.Constant(vector, ir.Undefined)
        word = builder.sext(given[0], WHOLE)
        for at in range(vector.count):
            mask = builder.insert_element(mask, word, ir.Constant(ir.IntType(32), at))
        return builder.and_(given[1], mask)

    return row(kept, row), build


@replace_by_intrinsic(vectors.count_row)
def count_row(_typing: Any, row: Any) -> Any:
    """Count ones of each word, and add up."""
    vector, kind = row.vector, f"v{row.vector.count}i64"

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        counts = builder.call(declare(builder, f"llvm.ctpop.{kind}", vector, [vector]), given)
        return builder.call(declare(builder, f"llvm.vector.reduce.add.{kind}", WHOLE, [vector]), [counts])

    return types.int64(row), build
