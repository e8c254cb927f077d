"""Rules in the form kernels want, and which propagation suits them."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.kernels.bits import logarithm_of, logarithm_table
from wavefold.kernels.layout import COUNTED, LIVE, NAIVE, NEIGHBOURS, SLICED
from wavefold.kernels.records import RuleTable
from wavefold.kernels.sliced import QUAD, slice_rows
from wavefold.tiles import Relation, Rules
from wavefold.tiles.relation import packed, unpacked

__all__ = ["PROPAGATIONS", "method_for", "method_name", "rule_table", "whole_weights"]

PROPAGATIONS = ("auto", "ac3", "ac4", "naive")
LARGEST_TABLE = 64 << 20  # bytes of sliced tables; beyond, they fall out of every cache
FEW_CLASSES = 4  # patterns per class from which live classes beat sliced tables
WEIGHT_BITS = 24

_tables: WeakKeyDictionary[Rules, dict[int, RuleTable]] = WeakKeyDictionary()


def method_for(rules: Rules, propagation: str) -> int:
    """The kernel for a propagation by name. A pure function of the shape of the rules."""
    if propagation == "naive":
        return NAIVE
    if propagation == "ac4":
        return COUNTED
    if propagation == "_neighbours":  # not offered: a baseline for benchmarks
        return NEIGHBOURS
    if propagation not in PROPAGATIONS:
        raise ConfigError(f"unknown propagation {propagation!r}; {suggest(propagation, PROPAGATIONS)}")
    if rules.words == 1:
        return SLICED
    classes = max((len(relation.rows) for relation in rules.relations), default=1)
    if classes * FEW_CLASSES <= len(rules):
        return LIVE
    return SLICED if len(rules.relations) * rules.words**2 * 64 * 256 <= LARGEST_TABLE else LIVE


def method_name(method: int) -> str:
    """What statistics call a kernel."""
    return {
        SLICED: "ac3 (sliced tables)",
        LIVE: "ac3 (live classes)",
        COUNTED: "ac4",
        NAIVE: "naive",
        NEIGHBOURS: "neighbours",
    }[method]


def whole_weights(weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Weights as whole numbers of at most 24 bits, the same on every platform.

    Scaling by a power of two and rounding are exact. What is far lighter than the rest, or 0 in a
    cell, becomes 1: taken when nothing else fits.
    """
    _, exponent = np.frexp(weights.max())
    return np.maximum(np.rint(np.ldexp(weights, WEIGHT_BITS - int(exponent))), 1).astype(np.int64)


def rule_table(rules: Rules, method: int, weights: NDArray[np.float64] | None = None) -> RuleTable:
    """The arrays of the rules for a kernel; made once per rules and kernel, weights aside."""
    made = _tables.setdefault(rules, {})
    if method not in made:
        made[method] = _compiled(rules, method)
    return made[method] if weights is None else _with_weights(made[method], weights)


def _compiled(rules: Rules, method: int) -> RuleTable:
    relations = rules.relations
    if method == LIVE:
        relations = tuple(_with_nobody(relation, len(rules)) for relation in relations)
    classes = np.array([len(relation.rows) for relation in relations], np.int32)
    most = int(classes.max(initial=1))
    shape = (len(relations), most, rules.words)
    rows, members = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64)
    for number, relation in enumerate(relations):
        rows[number, : len(relation.rows)] = relation.rows
        numbers = np.arange(len(relation.rows))
        members[number, : numbers.size] = packed(relation.class_of == numbers[:, None])
    class_of = np.array([relation.class_of for relation in relations], np.int32)
    class_of = class_of.reshape(len(relations), len(rules))
    kind_count = int(rules.kinds.max(initial=-1)) + 1
    table = RuleTable(
        class_of=class_of,
        classes=classes,
        members=members,
        rows=rows,
        disjoint=np.array([_disjoint(relation.rows) for relation in relations], np.uint8),
        sliced=_sliced(class_of, rows) if method == SLICED else np.zeros(0, np.uint64),
        row_start=np.zeros((0, 0), np.int32),
        row_class=np.zeros(0, np.int32),
        kind=rules.kinds,
        kind_members=packed(rules.kinds == np.arange(kind_count)[:, None]),
        tile=rules.tile_of,
        weight=np.zeros((0, 0), np.int64),
        weight_log=np.zeros((0, 0), np.int64),
        byte_weight=np.zeros((0, 0), np.int64),
        byte_weight_log=np.zeros((0, 0), np.int64),
        logarithm=logarithm_table(),
    )
    if method == COUNTED:
        start, group = _classes_by_pattern(rules)
        table = table.with_changes(row_start=start, row_class=group)
    return _with_weights(table, rules.weights[None, :])


def _with_nobody(relation: Relation, patterns: int) -> Relation:
    """The relation with a class that no pattern is in, and that alone supports what nobody supports.

    It is dead from the start, so the first visit of a cell removes from its neighbours what never fits.
    """
    supported = np.bitwise_or.reduce(relation.rows, axis=0)
    nobody = packed(np.ones(patterns, bool)) & ~supported
    return Relation(relation.class_of, np.concatenate([relation.rows, nobody[None, :]]))


def _disjoint(rows: NDArray[np.uint64]) -> bool:
    seen = np.zeros(rows.shape[1], np.uint64)
    for row in rows:
        if (seen & row).any():
            return False
        seen |= row
    return True


def _sliced(class_of: NDArray[np.int32], rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
    stride = QUAD if 1 < rows.shape[2] <= QUAD else rows.shape[2]
    sliced = np.zeros(class_of.shape[0] * -(-class_of.shape[1] // 8) * 256 * stride, np.uint64)
    slice_rows(class_of, rows, sliced)
    return sliced


def _classes_by_pattern(rules: Rules) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """[relation, pattern (+1)] -> where its classes start, and all those classes in one line."""
    starts, groups, offset = [], [], 0
    for relation in rules.relations:
        pattern, group = np.nonzero(unpacked(relation.rows, len(rules)).T)
        count = np.bincount(pattern, minlength=len(rules))
        starts.append(offset + np.concatenate([[0], np.cumsum(count)]))
        groups.append(group)
        offset += group.size
    start = np.array(starts, np.int32).reshape(len(rules.relations), len(rules) + 1)
    return start, np.concatenate([*groups, np.zeros(0, np.int64)]).astype(np.int32)


def _with_weights(table: RuleTable, weights: NDArray[np.float64]) -> RuleTable:
    """The table with these weights: [cell, pattern], or one row for all cells."""
    weight = np.ascontiguousarray(whole_weights(weights))
    steps, place = np.unique(weight, return_inverse=True)
    logs = np.array([logarithm_of(int(step), table.logarithm) for step in steps], np.int64)
    weight_log = np.ascontiguousarray(weight * logs[place.reshape(weight.shape)])
    shared = len(weight) == 1
    return table.with_changes(
        weight=weight,
        weight_log=weight_log,
        byte_weight=_byte_sums(weight[0]) if shared else np.zeros((0, 0), np.int64),
        byte_weight_log=_byte_sums(weight_log[0]) if shared else np.zeros((0, 0), np.int64),
    )


def _byte_sums(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """[byte, value] -> sum of the values whose bit is set in that byte."""
    padded = np.zeros(-(-values.size // 64) * 64, np.int64)
    padded[: values.size] = values
    bits = (np.arange(256)[:, None] >> np.arange(8)) & 1  # [value, bit]
    return np.ascontiguousarray(padded.reshape(-1, 8) @ bits.T)
