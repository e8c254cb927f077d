"""Logarithms and powers in fixed point, by linear interpolation between the steps of a table."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from wavefold.kernels.bits import leading_zeros
from wavefold.kernels.constants import LOG_BITS, LOG_STEPS
from wavefold.kernels.structs import TableLookup
from wavefold.kernels.units import kernel

LN2 = 2977044472  # ln 2, in 1 / 2**32
INVERSE_LN2 = 6196328019  # 1 / ln 2, in 1 / 2**32
POWER_BITS = 28  # fractional bits of the table of powers
MOST_BITS = 48  # bits of the largest weight: the sum of 2**14 weights fits in a word


@cache
def build_log_table() -> np.ndarray:
    """Return the table [step] of ln(1 + step / LOG_STEPS), in 1 / 2**LOG_BITS, rounded.

    No value is close to a rounding boundary, so every platform computes the same table.
    """
    return np.rint(np.log1p(np.arange(LOG_STEPS + 1) / LOG_STEPS) * (1 << LOG_BITS)).astype(np.int64)


@cache
def build_power_table() -> np.ndarray:
    """Return the table [step] of 2**(step / LOG_STEPS), in 1 / 2**POWER_BITS; see `build_log_table`."""
    return np.rint(np.exp2(np.arange(LOG_STEPS + 1) / LOG_STEPS) * (1 << POWER_BITS)).astype(np.int64)


def log_of(value: int, logarithm: np.ndarray) -> int:
    """Return ln(value), in 1 / 2**LOG_BITS, for value >= 1."""
    shift = leading_zeros(np.uint64(value))
    scaled = np.uint64(value) << np.uint64(shift)  # the highest set bit is now bit 63
    step = np.int64((scaled >> np.uint64(51)) & np.uint64(LOG_STEPS - 1))
    rest = np.int64((scaled >> np.uint64(31)) & np.uint64((1 << 20) - 1))
    within = logarithm[step] + (((logarithm[step + 1] - logarithm[step]) * rest) >> 20)
    return (((63 - shift) * LN2) >> (32 - LOG_BITS)) + within


def power_of(log: Any, power: np.ndarray) -> Any:
    """Return e**log, between 1 and 2**48, for a logarithm in 1 / 2**LOG_BITS; the inverse of `log_of`."""
    binary = (np.int64(log) * INVERSE_LN2) >> LOG_BITS  # log2, in 1 / 2**32
    exponent: Any = min(binary >> 32, MOST_BITS - 1)
    if exponent < 0:
        return 1
    step = (binary >> 20) & (LOG_STEPS - 1)
    within = power[step] + (((power[step + 1] - power[step]) * (binary & ((1 << 20) - 1))) >> 20)
    return within >> (POWER_BITS - exponent) if exponent <= POWER_BITS else within << (exponent - POWER_BITS)


@kernel
def compute_logs(values: TableLookup) -> None:
    """Write `log_of` each number, which must be at least 1."""
    for i in range(values.number.size):
        values.result[i] = log_of(values.number[i], values.table)


@kernel
def compute_powers(logs: TableLookup) -> None:
    """Write `power_of` each number."""
    for i in range(logs.number.size):
        logs.result[i] = power_of(logs.number[i], logs.table)


def take_logs(numbers: np.ndarray) -> np.ndarray:
    """Return `log_of` each number of an array; for calls from Python."""
    lookup = TableLookup(numbers, build_log_table(), np.empty_like(numbers))
    compute_logs(lookup)
    return lookup.result


def take_powers(logs: np.ndarray) -> np.ndarray:
    """Return `power_of` each number of an array; for calls from Python."""
    lookup = TableLookup(logs, build_power_table(), np.empty_like(logs))
    compute_powers(lookup)
    return lookup.result
