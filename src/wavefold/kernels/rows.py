"""Eight words as one value, a *row*, which processors hold in one or two vector registers.

As eight variables they would be compiled one by one, eight instructions for each of these. Without Numba
(NUMBA_DISABLE_JIT=1) a row is an array of eight words, with the same numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from wavefold.kernels.jit import COMPILED

ROW = 8  # words
Row = Any  # the type of a row

if COMPILED:
    VECTOR = ir.VectorType(ir.IntType(64), ROW)
    ZEROS = ir.Constant(VECTOR, [0] * ROW)

    class RowType(types.Type):
        """The Numba type of a row."""

    @register_model(RowType)
    class RowModel(models.PrimitiveModel):
        """A row in LLVM: a vector."""

        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, VECTOR)

    row_type = RowType("Row")

    def find_row(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
        """The address of the row that starts at a word of an array."""
        start = builder.gep(context.make_array(kind)(context, builder, array).data, [at])
        return builder.bitcast(start, VECTOR.as_pointer())

    @intrinsic
    def load_row(_typing: Any, array: Any, at: Any) -> Any:
        """The eight words of an array from `at` on; an array of several axes is read as one of words."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load(find_row(context, builder, signature.args[0], *arguments), align=8)

        return row_type(array, types.uint64), build

    @intrinsic
    def store_row(_typing: Any, array: Any, at: Any, row: Any) -> Any:
        """Write a row into an array from `at` on."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address = find_row(context, builder, signature.args[0], *arguments[:2])
            builder.store(arguments[2], address, align=8)
            return context.get_dummy_value()

        return types.void(array, types.uint64, row), build

    @intrinsic
    def empty_row(_typing: Any) -> Any:
        """A row without patterns."""
        return row_type(), lambda *_: ZEROS

    @intrinsic
    def intersect(_typing: Any, one: Any, other: Any) -> Any:
        """What is in both rows."""
        return row_type(one, other), lambda _context, builder, _signature, rows: builder.and_(*rows)

    @intrinsic
    def unite(_typing: Any, one: Any, other: Any) -> Any:
        """What is in at least one of two rows."""
        return row_type(one, other), lambda _context, builder, _signature, rows: builder.or_(*rows)

    @intrinsic
    def subtract(_typing: Any, one: Any, other: Any) -> Any:
        """What is in one row and not in the other."""

        def build(_context: Any, builder: Any, _signature: Any, rows: Any) -> Any:
            return builder.and_(rows[0], builder.not_(rows[1]))

        return row_type(one, other), build

    @intrinsic
    def is_empty(_typing: Any, row: Any) -> Any:
        """Whether a row has no pattern."""

        def build(_context: Any, builder: Any, _signature: Any, rows: Any) -> Any:
            bits = builder.bitcast(builder.icmp_unsigned("!=", rows[0], ZEROS), ir.IntType(ROW))
            return builder.icmp_unsigned("==", bits, ir.Constant(ir.IntType(ROW), 0))

        return types.boolean(row), build

    @intrinsic
    def count_row(_typing: Any, row: Any) -> Any:
        """How many patterns a row has."""

        def call(builder: Any, name: str, result: Any, row: Any) -> Any:
            kind = ir.FunctionType(result, [VECTOR])
            return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [row])

        def build(_context: Any, builder: Any, _signature: Any, rows: Any) -> Any:
            counts = call(builder, f"llvm.ctpop.v{ROW}i64", VECTOR, rows[0])
            return call(builder, f"llvm.vector.reduce.add.v{ROW}i64", ir.IntType(64), counts)

        return types.int64(row), build

else:

    def load_row(array: Any, at: Any) -> Any:
        """The eight words of an array from `at` on; an array of several axes is read as one of words."""
        return array.reshape(-1)[int(at) : int(at) + ROW].copy()

    def store_row(array: Any, at: Any, row: Any) -> None:
        """Write a row into an array from `at` on."""
        array.reshape(-1)[int(at) : int(at) + ROW] = row

    def empty_row() -> Any:
        """A row without patterns."""
        return np.zeros(ROW, np.uint64)

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
