"""Eight or four words as one value, a *row* or *quad*, which processors hold in one or two vector registers.

As single variables they would be compiled one by one, an instruction for each of these. Without Numba
(NUMBA_DISABLE_JIT=1) a row is an array of words, with the same numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from wavefold.kernels.jit import COMPILED

ROW, QUAD = 8, 4  # words
Row = Any  # the type of a row, or of a quad

if COMPILED:

    class RowType(types.Type):
        """The Numba type of a row of so many words."""

        def __init__(self, words: int) -> None:
            self.vector = ir.VectorType(ir.IntType(64), words)
            self.zeros = ir.Constant(self.vector, [0] * words)
            super().__init__(f"Row({words})")

    @register_model(RowType)
    class RowModel(models.PrimitiveModel):
        """A row in LLVM: a vector."""

        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, kind.vector)

    row_type, quad_type = RowType(ROW), RowType(QUAD)

    def find_row(context: Any, builder: Any, signature: Any, kind: Any, arguments: Any) -> Any:
        """The address of the row that starts at a word of an array."""
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.bitcast(builder.gep(array.data, [arguments[1]]), kind.vector.as_pointer())

    def load(kind: Any) -> Any:
        """How a row of this type is read from an array."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load(find_row(context, builder, signature, kind, arguments), align=8)

        return build

    @intrinsic
    def load_row(_typing: Any, array: Any, at: Any) -> Any:
        """The eight words of an array from `at` on; an array of several axes is read as one of words."""
        return row_type(array, types.uint64), load(row_type)

    @intrinsic
    def load_quad(_typing: Any, array: Any, at: Any) -> Any:
        """The four words of an array from `at` on."""
        return quad_type(array, types.uint64), load(quad_type)

    @intrinsic
    def store_row(_typing: Any, array: Any, at: Any, row: Any) -> Any:
        """Write a row into an array from `at` on."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address = find_row(context, builder, signature, row, arguments)
            builder.store(arguments[2], address, align=8)
            return context.get_dummy_value()

        return types.void(array, types.uint64, row), build

    @intrinsic
    def empty_row(_typing: Any) -> Any:
        """A row without patterns."""
        return row_type(), lambda *_: row_type.zeros

    @intrinsic
    def empty_quad(_typing: Any) -> Any:
        """A quad without patterns."""
        return quad_type(), lambda *_: quad_type.zeros

    @intrinsic
    def intersect(_typing: Any, one: Any, other: Any) -> Any:
        """What is in both rows."""
        return one(one, other), lambda _context, builder, _signature, rows: builder.and_(*rows)

    @intrinsic
    def unite(_typing: Any, one: Any, other: Any) -> Any:
        """What is in at least one of two rows."""
        return one(one, other), lambda _context, builder, _signature, rows: builder.or_(*rows)

    @intrinsic
    def subtract(_typing: Any, one: Any, other: Any) -> Any:
        """What is in one row and not in the other."""

        def build(_context: Any, builder: Any, _signature: Any, rows: Any) -> Any:
            return builder.and_(rows[0], builder.not_(rows[1]))

        return one(one, other), build

    @intrinsic
    def is_empty(_typing: Any, row: Any) -> Any:
        """Whether a row has no pattern."""

        def build(_context: Any, builder: Any, _signature: Any, rows: Any) -> Any:
            flags = ir.IntType(row.vector.count)
            bits = builder.bitcast(builder.icmp_unsigned("!=", rows[0], row.zeros), flags)
            return builder.icmp_unsigned("==", bits, ir.Constant(flags, 0))

        return types.boolean(row), build

    @intrinsic
    def count_row(_typing: Any, row: Any) -> Any:
        """How many patterns a row of eight words has."""

        def call(builder: Any, name: str, result: Any, row: Any) -> Any:
            kind = ir.FunctionType(result, [row_type.vector])
            return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [row])

        def build(_context: Any, builder: Any, _signature: Any, rows: Any) -> Any:
            counts = call(builder, f"llvm.ctpop.v{ROW}i64", row_type.vector, rows[0])
            return call(builder, f"llvm.vector.reduce.add.v{ROW}i64", ir.IntType(64), counts)

        return types.int64(row), build

else:

    def load_row(array: Any, at: Any) -> Any:
        """The eight words of an array from `at` on; an array of several axes is read as one of words."""
        return array.reshape(-1)[int(at) : int(at) + ROW].copy()

    def load_quad(array: Any, at: Any) -> Any:
        """The four words of an array from `at` on."""
        return array[int(at) : int(at) + QUAD].copy()

    def store_row(array: Any, at: Any, row: Any) -> None:
        """Write a row into an array from `at` on."""
        array.reshape(-1)[int(at) : int(at) + row.size] = row

    def empty_row() -> Any:
        """A row without patterns."""
        return np.zeros(ROW, np.uint64)

    def empty_quad() -> Any:
        """A quad without patterns."""
        return np.zeros(QUAD, np.uint64)

    def intersect(one: Any, other: Any) -> Any:
        """What is in both rows."""
        return one & other

    def unite(one: Any, other: Any) -> Any:
        """What is in at least one of two rows."""
        return one | other

    def subtract(one: Any, other: Any) -> Any:
        """What is in one row and not in the other."""
        return one & ~other

    def is_empty(row: Any) -> bool:
        """Whether a row has no pattern."""
        return not row.any()

    def count_row(row: Any) -> int:
        """How many patterns a row has."""
        return int(np.bitwise_count(row).sum())
