"""Rules as the arrays kernels read, and the propagation method that suits them."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import pack_bits, unpack_bits
from wavefold.errors import ConfigError, suggest
from wavefold.kernels.ac3_tables import QUAD
from wavefold.kernels.bits import build_log_table
from wavefold.kernels.constants import AC3_CLASSES, AC3_TABLES, AC4, NAIVE, NEIGHBOURS_ONLY
from wavefold.kernels.structs import KernelGraph, RuleTable
from wavefold.solver.engine.weights import with_weights
from wavefold.tiles import Relation, Rules

PROPAGATIONS = ("auto", "ac3", "ac4", "naive")
LARGEST_TABLE = 64 << 20  # bytes; larger tables do not fit into any processor cache
FEW_CLASSES = 4  # patterns per class from which AC3_CLASSES is faster than AC3_TABLES
OCTET = 8  # bits per page of a table, unless that makes it too large

_tables: WeakKeyDictionary[Rules, dict[tuple[int, ...], RuleTable]] = WeakKeyDictionary()


def choose_method(rules: Rules, propagation: str) -> int:
    """The method for a propagation by name. A pure function of the shape of the rules."""
    if propagation == "naive":
        return NAIVE
    if propagation == "ac4":
        return AC4
    if propagation == "_neighbours":  # undocumented: a baseline for benchmarks
        return NEIGHBOURS_ONLY
    if propagation not in PROPAGATIONS:
        raise ConfigError(f"unknown propagation {propagation!r}; {suggest(propagation, PROPAGATIONS)}")
    if rules.words == 1:
        return AC3_TABLES
    classes = max((len(relation.rows) for relation in rules.relations), default=1)
    compact = len(rules.relations) == 4 and rules.words <= QUAD and classes < 64  # see `propagate_compact`
    if classes * FEW_CLASSES <= len(rules) or (compact and all(map(_rows_are_apart, rules.relations))):
        return AC3_CLASSES
    return AC3_TABLES if len(rules.relations) * rules.words**2 * 64 * 256 <= LARGEST_TABLE else AC3_CLASSES


def method_name(method: int) -> str:
    """The name of a method in statistics."""
    return {
        AC3_TABLES: "ac3 (sliced tables)",
        AC3_CLASSES: "ac3 (live classes)",
        AC4: "ac4",
        NAIVE: "naive",
        NEIGHBOURS_ONLY: "neighbours",
    }[method]


def build_rule_table(
    rules: Rules, method: int, graph: KernelGraph, weights: NDArray[np.float64] | None = None
) -> RuleTable:
    """The arrays of the rules for a method; built once per rules and method, except for weights."""
    facing = facing_relations(graph, len(rules.relations)) if method == AC3_CLASSES else ()
    made = _tables.setdefault(rules, {})
    if (method, *facing) not in made:
        made[method, *facing] = _compile(rules, method, facing)
    table = made[method, *facing]
    return table if weights is None else with_weights(table, weights)


def facing_relations(graph: KernelGraph, relations: int) -> tuple[int, ...]:
    """[relation] -> the relation seen from the neighbour; -1 where there is none."""
    facing = np.full(relations, -1)
    facing[graph.rule] = graph.rule[graph.opposite]
    return tuple(facing.tolist())


def _compile(rules: Rules, method: int, facing: tuple[int, ...]) -> RuleTable:
    relations = rules.relations
    partner = np.full(len(relations), -1, np.int32)
    if method == AC3_CLASSES:
        relations = tuple(_with_empty_class(relation, len(rules)) for relation in relations)
        for side, back in enumerate(facing):
            if side < back and (found := _partner(relations[side], relations[back])) is not None:
                relations = (*relations[:back], found, *relations[back + 1 :])
                partner[side], partner[back] = back, side
    classes = np.array([len(relation.rows) for relation in relations], np.int32)
    most = int(classes.max(initial=1))
    shape = (len(relations), most, rules.words)
    rows, members = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64)
    for number, relation in enumerate(relations):
        rows[number, : len(relation.rows)] = relation.rows
        members[number, : len(relation.rows)] = _members(relation)
    class_of = np.array([relation.class_of for relation in relations], np.int32)
    class_of = class_of.reshape(len(relations), len(rules))
    kind_count = int(rules.kinds.max(initial=-1)) + 1
    nothing = np.zeros(0, np.uint64)
    table = RuleTable(
        class_of=class_of,
        classes=classes,
        members=members,
        rows=rows,
        partner=partner,
        page_bits=np.array([OCTET], np.int64),
        allowed_by_page=nothing,
        classes_by_page=nothing,
        row_start=np.zeros((0, 0), np.int32),
        row_class=np.zeros(0, np.int32),
        kind=rules.kinds,
        kind_members=pack_bits(rules.kinds == np.arange(kind_count)[:, None]),
        tile=rules.tile_of,
        weight=np.zeros((0, 0), np.int64),
        weight_log=np.zeros((0, 0), np.int64),
        byte_weight=np.zeros((0, 0), np.int64),
        byte_weight_log=np.zeros((0, 0), np.int64),
        logarithm=build_log_table(),
    )
    if method == AC4:
        start, group = _classes_by_pattern(rules)
        table = table.with_changes(row_start=start, row_class=group)
    elif method == AC3_TABLES:
        allowed = rows[np.arange(len(relations))[:, None], class_of]
        table = table.with_changes(allowed_by_page=_build_pages(allowed, OCTET))
    elif method == AC3_CLASSES:
        table = _with_pages(table)
    return with_weights(table, rules.weights[None, :])


def _with_empty_class(relation: Relation, patterns: int) -> Relation:
    """The relation with one more class, without patterns: its row are the patterns in no other row.

    It is dead from the start, so the first visit of a cell removes from its neighbours what never fits.
    """
    supported = np.bitwise_or.reduce(relation.rows, axis=0)
    unsupported = pack_bits(np.ones(patterns, bool)) & ~supported
    return Relation(relation.class_of, np.concatenate([relation.rows, unsupported[None, :]]))


def _rows_are_apart(relation: Relation) -> bool:
    """Whether no pattern is in two rows."""
    together = np.bitwise_or.reduce(relation.rows, axis=0)
    return bool(np.bitwise_count(relation.rows).sum() == np.bitwise_count(together).sum())


def _members(relation: Relation) -> NDArray[np.uint64]:
    """[class, word] the patterns of each class."""
    return pack_bits(relation.class_of == np.arange(len(relation.rows))[:, None])


def _partner(relation: Relation, facing: Relation) -> Relation | None:
    """The facing relation with classes numbered like those of this one, if each fits only one; else None."""
    if not _rows_are_apart(relation):
        return None
    row_of = unpack_bits(relation.rows, relation.class_of.size).argmax(axis=0)
    found = Relation(row_of.astype(np.int32), _members(relation))
    same = (found.rows[found.class_of] == facing.rows[facing.class_of]).all()
    return found if same else None


def _with_pages(table: RuleTable) -> RuleTable:
    """The table with the pages that AC3_CLASSES needs, as large as LARGEST_TABLE allows."""
    relations, classes, words = table.rows.shape
    patterns = table.class_of.shape[1]
    live_width = -(-classes // 64)
    bits, size = OCTET, 8 * relations * (patterns * live_width + classes * words)  # bytes, if not in pages
    while bits > 1 and (size // bits) << bits > LARGEST_TABLE:
        bits //= 2
    classes_of = pack_bits(table.class_of.T[:, :, None] == np.arange(live_width * 64))
    return table.with_changes(
        page_bits=np.array([bits], np.int64),
        allowed_by_page=_build_pages(table.rows, bits),
        classes_by_page=_build_pages(classes_of.reshape(1, patterns, relations * live_width), bits),
    )


def _build_pages(rows: NDArray[np.uint64], bits: int) -> NDArray[np.uint64]:
    """[table, item, word] -> [table * page * value * word]: for each value of a page, the OR of its rows.

    Two to four words are padded to four, one vector register.
    """
    tables, items, words = rows.shape
    pages, stride = -(-items // bits), QUAD if 1 < words <= QUAD else words
    padded = np.zeros((tables, pages * bits, stride), np.uint64)
    padded[:, :items, :words] = rows
    by_page = padded.reshape(tables, pages, bits, stride)
    result = np.zeros((tables, pages, 1 << bits, stride), np.uint64)
    for bit in range(bits):
        result[:, :, 1 << bit : 2 << bit] = result[:, :, : 1 << bit] | by_page[:, :, bit, None]
    return result.reshape(-1)


def _classes_by_pattern(rules: Rules) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """[relation, pattern (+1)] -> where its classes start, and all those classes in one line."""
    starts, groups, offset = [], [], 0
    for relation in rules.relations:
        pattern, group = np.nonzero(unpack_bits(relation.rows, len(rules)).T)
        count = np.bincount(pattern, minlength=len(rules))
        starts.append(offset + np.concatenate([[0], np.cumsum(count)]))
        groups.append(group)
        offset += group.size
    start = np.array(starts, np.int32).reshape(len(rules.relations), len(rules) + 1)
    return start, np.concatenate([*groups, np.zeros(0, np.int64)]).astype(np.int32)
