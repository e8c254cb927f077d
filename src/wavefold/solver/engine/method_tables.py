"""Tables of the propagation methods, in addition to the rows of allowed neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.bitsets import pack_bits, unpack_bits
from wavefold.kernels.host.checkpoint import Steps
from wavefold.kernels.propagate.removals import LARGE
from wavefold.kernels.propagate.tables import DIGIT_BITS
from wavefold.kernels.structs import RuleTable
from wavefold.kernels.vectors import QUAD, ROW
from wavefold.tiles import Relation

MOST_TABLE_BYTES = 64 << 20  # larger tables do not fit into any processor cache
PAGE_BITS = 8  # per page of a table, or fewer if the table would be too large


def are_rows_disjoint(relation: Relation) -> bool:
    """Return whether no pattern is in two rows."""
    together = np.bitwise_or.reduce(relation.rows, axis=0)
    return bool(np.bitwise_count(relation.rows).sum() == np.bitwise_count(together).sum())


def list_members(relation: Relation) -> NDArray[np.uint64]:
    """Return the patterns of each class as bits [class, word]."""
    return pack_bits(relation.class_of == np.arange(len(relation.rows))[:, None])


def pair_classes(
    relations: tuple[Relation, ...], facing: tuple[int, ...]
) -> tuple[tuple[Relation, ...], NDArray[np.int32]]:
    """Return relations for AC3_CLASSES with paired classes numbered alike, and the partner of each, or -1."""
    partner = np.full(len(relations), -1, np.int32)
    relations = tuple(_with_empty_class(relation) for relation in relations)
    for side, back in enumerate(facing):
        if side < back and (found := _find_partner(relations[side], relations[back])) is not None:
            relations = (*relations[:back], found, *relations[back + 1 :])
            partner[side], partner[back] = back, side
    return relations, partner


def _with_empty_class(relation: Relation) -> Relation:
    """Return the relation with an additional empty class, whose row are the patterns in no other row.

    An empty class is dead from the start, so the first visit of a cell removes these unsupported patterns.
    """
    supported = np.bitwise_or.reduce(relation.rows, axis=0)
    unsupported = pack_bits(np.ones(relation.class_of.size, bool)) & ~supported
    return Relation(relation.class_of, np.concatenate([relation.rows, unsupported[None, :]]))


def _find_partner(relation: Relation, facing: Relation) -> Relation | None:
    """Return the facing relation with classes numbered like those of this one.

    None if some class fits several others.
    """
    if not are_rows_disjoint(relation):
        return None
    row_of = unpack_bits(relation.rows, relation.class_of.size).argmax(axis=0)
    found = Relation(row_of.astype(np.int32), list_members(relation))
    same = (found.rows[found.class_of] == facing.rows[facing.class_of]).all()
    return found if same else None


def with_byte_pages(table: RuleTable) -> RuleTable:
    """Return the table with the arrays for AC3_TABLES."""
    relations = np.arange(len(table.rows))[:, None]
    allowed = table.rows[relations, table.class_of]  # [relation, pattern, word]
    if allowed.shape[2] == 1 and len(relations) <= ROW:
        return table.with_changes(allowed_by_digit=build_digits(allowed[:, :, 0]))
    return table.with_changes(allowed_by_page=build_pages(allowed, PAGE_BITS))


def build_digits(allowed: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Build the table [digit * value * lane] of the patterns that a digit of a domain allows."""
    by_pattern = np.zeros((1, allowed.shape[1], QUAD if len(allowed) <= QUAD else ROW), np.uint64)
    by_pattern[0, :, : len(allowed)] = allowed.T
    return build_pages(by_pattern, DIGIT_BITS)


def with_class_pages(table: RuleTable) -> RuleTable:
    """Return the table with the pages for AC3_CLASSES, as large as MOST_TABLE_BYTES allows."""
    relations, classes, words = table.rows.shape
    patterns = table.class_of.shape[1]
    live_width = -(-classes // 64)
    bits, size = (
        PAGE_BITS,
        8 * relations * (patterns * live_width + classes * words),
    )  # bytes, if not in pages
    while bits > 1 and (size // bits) << bits > MOST_TABLE_BYTES:
        bits //= 2
    classes_of = pack_bits(table.class_of.T[:, :, None] == np.arange(live_width * 64))
    return table.with_changes(
        page_bits=np.array([bits], np.int64),
        allowed_by_page=build_pages(table.rows, bits),
        classes_by_page=build_pages(classes_of.reshape(1, patterns, relations * live_width), bits),
    )


def build_pages(rows: NDArray[np.uint64], bits: int = PAGE_BITS, spare: int = 0) -> NDArray[np.uint64]:
    """Build [table * page * value * word], for each value of a page the OR of its rows [table, item, word].

    Two to four words are padded to four, one vector register.

    spare : number of unused rows at the end of each page
    """
    tables, items, words = rows.shape
    pages, stride = -(-items // bits), QUAD if 1 < words <= QUAD else words
    padded = np.zeros((tables, pages * bits, stride), np.uint64)
    padded[:, :items, :words] = rows
    by_page = padded.reshape(tables, pages, bits, stride)
    result = np.zeros((tables, pages, (1 << bits) + spare, stride), np.uint64)
    for bit in range(bits):
        result[:, :, 1 << bit : 2 << bit] = result[:, :, : 1 << bit] | by_page[:, :, bit, None]
    return result.reshape(-1)


def with_slots(
    table: RuleTable, relations: tuple[Relation, ...], rule: tuple[int, ...], as_rows: bool
) -> Steps[RuleTable]:
    """Return the table with the arrays for AC3_REMOVALS or AC3_ROWS.

    rule : [direction] the relation on that side
    """
    classes, words = table.rows.shape[1:]
    patterns = table.class_of.shape[1]
    slots = classes * len(rule)
    slot = table.class_of[list(rule)] + classes * np.arange(len(rule))[:, None]
    supported = np.zeros((len(rule), words), np.uint64)
    fits = [np.zeros((2, 0), np.int64)]  # (slot, pattern)
    for direction, relation in enumerate(rule):
        rows = relations[relation].rows
        supported[direction] = np.bitwise_or.reduce(rows, axis=0)
        fits.append(_list_bits(rows) + np.array([[direction * classes], [0]]))
        yield
    fit_slot, fit_pattern = np.concatenate(fits, axis=1)
    fit_start, fit = _group_items(fit_slot, fit_pattern, slots)
    member_start, member = _group_items(slot.reshape(-1), np.tile(np.arange(patterns), len(rule)), slots)
    unsupported = table.all_patterns & ~supported
    yield
    table = table.with_changes(slot=np.ascontiguousarray(slot, np.int32), unsupported=unsupported)
    if as_rows:
        return table.with_changes(
            member_rows=_pack_rows(member_start, member),
            fit_rows=_pack_rows(fit_start, fit),
            unsupported=np.pad(unsupported, ((0, 0), (0, ROW - words))),
        )
    return table.with_changes(
        member_start=member_start,
        member=member,
        fit_start=fit_start,
        fit=fit,
        four_members=_pack_four(member_start, member, np.diff(member_start) > 0),
        four_fits=_pack_four(fit_start, fit, (np.diff(fit_start) > 0) & (np.diff(fit_start) <= 4)),
    )


def _pack_rows(start: NDArray[np.int32], items: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Pack the items of each row into bits [row * ROW]. Each row is aligned to a cache line."""
    rows = start.size - 1
    bits = np.zeros((rows, ROW * 64), bool)
    bits[np.repeat(np.arange(rows), np.diff(start)), items] = True
    room = np.empty((rows + 1) * ROW, np.uint64)
    first = -room.ctypes.data // room.itemsize % ROW
    result = room[first : first + rows * ROW]
    result[:] = pack_bits(bits).reshape(-1)
    return result


def _list_bits(rows: NDArray[np.uint64]) -> NDArray[np.int64]:
    """List the (row, position) of every set bit of `rows` [row, word]. Unpacks only nonzero words."""
    row, word = np.nonzero(rows)
    item, bit = np.nonzero(unpack_bits(rows[row, word][:, None], 64))
    return np.array([row[item], word[item] * 64 + bit])


def _group_items(
    group: NDArray[np.int64], items: NDArray[np.int64], groups: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return where the items of each group start, and all items sorted by group."""
    start = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=groups))])
    return start.astype(np.int32), items[np.argsort(group, kind="stable")].astype(np.int32)


def _pack_four(
    start: NDArray[np.int32], items: NDArray[np.int32], is_packed: NDArray[np.bool_]
) -> NDArray[np.uint64]:
    """Pack the first four items of each row into one word; LARGE for rows that are not packed.

    See `RuleTable.four_members`.
    """
    count = np.diff(start)[is_packed]
    result = np.full(start.size - 1, LARGE)
    position = np.where(np.arange(4) < count[:, None], np.arange(4), 0) + start[:-1][is_packed, None]
    result[is_packed] = items.astype(np.uint16)[position].view("<u8").reshape(-1)
    return result


def with_supporters(table: RuleTable, relations: tuple[Relation, ...]) -> RuleTable:
    """Return the table with the arrays for AC4: for each pattern, the classes whose row contains it."""
    patterns = table.class_of.shape[1]
    starts, groups, offset = [], [np.zeros(0, np.int32)], 0
    for relation in relations:
        group, pattern = _list_bits(relation.rows)
        start, supporters = _group_items(pattern, group, patterns)
        starts.append(offset + start)
        groups.append(supporters)
        offset += supporters.size
    return table.with_changes(
        row_start=np.array(starts, np.int32).reshape(len(relations), patterns + 1),
        row_class=np.concatenate(groups),
    )
