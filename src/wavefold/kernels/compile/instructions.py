"""Compiled versions of functions of `bits` and `vectors`: single instructions and wrapping arithmetic."""

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
REPLACEMENTS: dict[Callable[..., Any], Any] = {}  # {Python function: compiled replacement}


def read_index(context: Any, builder: Any, kind: Any, index: Any, _size: Any) -> Any:
    """Return an array index unchanged: indices are never negative, so the size need not be added to them."""
    return context.cast(builder, index, kind, types.intp)


arrayobj.fix_integer_index = read_index


def replace_by_intrinsic(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """Decorate an intrinsic, which types a call and generates its code, as the replacement of a function."""

    def register(typed: Any) -> Any:
        REPLACEMENTS[function] = intrinsic(typed)
        return REPLACEMENTS[function]

    return register


def replace_by_compiled(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """Decorate a version of a function that Numba can compile as its replacement."""

    def register(version: Any) -> Any:
        REPLACEMENTS[function] = numba.njit(version, **OPTIONS)
        return REPLACEMENTS[function]

    return register


def declare(builder: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    """Return the function of this name in the current LLVM module. Declare it on first use."""
    if not name.startswith("llvm."):
        llvm.add_symbol(name, 1)  # Numba's linker requires an address, but never uses it
    found = builder.module.globals.get(name)
    return found or ir.Function(builder.module, ir.FunctionType(result, arguments), name)


# --- words ----------------------------------------------------------------------------------------


@replace_by_intrinsic(bits.lowest_bit)
def lowest_bit(_typing: Any, word: Any) -> Any:
    """Count trailing zeros; undefined for zero."""
    return types.int64(types.uint64), lambda _context, builder, _signature, given: builder.cttz(
        given[0], TRUE
    )


@replace_by_intrinsic(bits.leading_zeros)
def leading_zeros(_typing: Any, word: Any) -> Any:
    """Count leading zeros; undefined for zero."""
    return types.int64(types.uint64), lambda _context, builder, _signature, given: builder.ctlz(
        given[0], TRUE
    )


@replace_by_intrinsic(bits.count_bits)
def count_bits(_typing: Any, word: Any) -> Any:
    """Count set bits."""
    return types.int64(types.uint64), lambda _context, builder, _signature, given: builder.ctpop(given[0])


@replace_by_intrinsic(bits.call4)
def call4(_typing: Any, address: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Call a function by its address. `module` defines the symbol for each target."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.call(declare(builder, "call_address", WHOLE, [WHOLE] * 5), given)

    return types.int64(*[types.int64] * 5), build


@replace_by_intrinsic(bits.can_call)
def can_call(_typing: Any) -> Any:
    """Whether functions can be called by address. `module` defines the symbol for each target."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.trunc(
            builder.call(declare(builder, "can_call_address", WHOLE, []), given), ir.IntType(1)
        )

    return types.boolean(), build


@replace_by_compiled(bits.to_unsigned)
def to_unsigned(number: int) -> np.uint64:
    """Return the same 64 bits as an unsigned number."""
    return np.uint64(number)


@replace_by_compiled(bits.mix_bits)
def mix_bits(word: np.uint64) -> np.uint64:
    """Hash a word with the finaliser of SplitMix64."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@replace_by_compiled(bits.multiply_golden)
def multiply_golden(word: np.uint64) -> np.uint64:
    """Hash a word by multiplication (Fibonacci hashing)."""
    return word * np.uint64(bits.GOLDEN)


@replace_by_compiled(bits.draw)
def draw(seed: int, number: int) -> np.uint64:
    """Return 64 random bits as a pure function of a seed and the number of the draw."""
    return mix_bits(np.uint64(seed) + np.uint64(number + 1) * np.uint64(bits.GOLDEN))


# --- rows -----------------------------------------------------------------------------------------


class RowType(types.Type):
    """The Numba type of a row or quad with this number of words."""

    def __init__(self, words: int) -> None:
        self.vector = ir.VectorType(WHOLE, words)
        self.zeros = ir.Constant(self.vector, [0] * words)
        super().__init__(f"Row({words})")


@register_model(RowType)
class RowModel(models.PrimitiveModel):
    """The representation of a row in LLVM: a vector."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.vector)


row_type, quad_type = RowType(vectors.ROW), RowType(vectors.QUAD)


@intrinsic
def load_row_at(_typing: Any, address: Any) -> Any:
    """Load the row at an address."""
    return row_type(types.int64), build_load(row_type)


@intrinsic
def load_quad_at(_typing: Any, address: Any) -> Any:
    """Load the quad at an address."""
    return quad_type(types.int64), build_load(quad_type)


def build_load(kind: RowType) -> Any:
    """Return a code generator that loads a row of this type."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.load(builder.inttoptr(given[0], kind.vector.as_pointer()), align=8)

    return build


@intrinsic
def store_row_at(_typing: Any, address: Any, row: Any) -> Any:
    """Store a row at an address."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        builder.store(given[1], builder.inttoptr(given[0], row.vector.as_pointer()), align=8)
        return ir.Constant(WHOLE, 0)

    return types.int64(types.int64, row), build


@replace_by_compiled(vectors.load_row)
def load_row(array: Any, at: Any) -> Any:
    """Load eight words of an array, beginning at flat index `at`."""
    return load_row_at(np.int64(array.ctypes.data) + np.int64(at) * 8)


@replace_by_compiled(vectors.load_quad)
def load_quad(array: Any, at: Any) -> Any:
    """Load four words of an array, beginning at flat index `at`."""
    return load_quad_at(np.int64(array.ctypes.data) + np.int64(at) * 8)


@replace_by_compiled(vectors.store_row)
def store_row(array: Any, at: Any, row: Any) -> None:
    """Store a row in an array, beginning at flat index `at`."""
    store_row_at(np.int64(array.ctypes.data) + np.int64(at) * 8, row)


@replace_by_intrinsic(vectors.empty_row)
def empty_row(_typing: Any) -> Any:
    """Return eight zeros."""
    return row_type(), lambda *_: row_type.zeros


@replace_by_intrinsic(vectors.empty_quad)
def empty_quad(_typing: Any) -> Any:
    """Return four zeros."""
    return quad_type(), lambda *_: quad_type.zeros


@replace_by_intrinsic(vectors.intersect)
def intersect(_typing: Any, one: Any, other: Any) -> Any:
    """Compute the bitwise AND."""
    return one(one, other), lambda _context, builder, _signature, given: builder.and_(*given)


@replace_by_intrinsic(vectors.unite)
def unite(_typing: Any, one: Any, other: Any) -> Any:
    """Compute the bitwise OR."""
    return one(one, other), lambda _context, builder, _signature, given: builder.or_(*given)


@replace_by_intrinsic(vectors.subtract)
def subtract(_typing: Any, one: Any, other: Any) -> Any:
    """Compute the bitwise AND with the complement."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.and_(given[0], builder.not_(given[1]))

    return one(one, other), build


@replace_by_intrinsic(vectors.is_empty)
def is_empty(_typing: Any, row: Any) -> Any:
    """Compare all words with zero at once."""

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        flags = ir.IntType(row.vector.count)
        found = builder.bitcast(builder.icmp_unsigned("!=", given[0], row.zeros), flags)
        return builder.icmp_unsigned("==", found, ir.Constant(flags, 0))

    return types.boolean(row), build


@replace_by_intrinsic(vectors.keep_if)
def keep_if(_typing: Any, kept: Any, row: Any) -> Any:
    """AND with all ones or all zeros; a select instruction could become a branch."""
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
    """Count the set bits of each word and add the counts."""
    vector, kind = row.vector, f"v{row.vector.count}i64"

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        counts = builder.call(declare(builder, f"llvm.ctpop.{kind}", vector, [vector]), given)
        return builder.call(declare(builder, f"llvm.vector.reduce.add.{kind}", WHOLE, [vector]), [counts])

    return types.int64(row), build
