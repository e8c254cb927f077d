"""Adjacency tables for refining: the same for all maps of a tile set."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.constants import LOG_BITS
from wavefold.kernels.host.bitsets import pack_bits
from wavefold.kernels.refine.structs import SPARE
from wavefold.kernels.vectors import QUAD, ROW
from wavefold.solver.engine.method_tables import build_digits, build_pages, list_members
from wavefold.tiles import Relation, Rules

LARGEST_FACTOR = 10  # ln of the largest factor of a soft pair; larger ones count as this
HEX_DIGIT = 4  # bits


class RefineTables(NamedTuple):
    """The adjacency tables of `RefineRules`. Two to four words are padded to four, one vector register."""

    class_of: NDArray[np.int32]
    rows: NDArray[np.uint64]
    members: NDArray[np.uint64]
    kind: NDArray[np.int32]
    kind_members: NDArray[np.uint64]
    pages: NDArray[np.uint64]
    digits: NDArray[np.uint64]
    pattern_rows: NDArray[np.uint64]
    class_pages: NDArray[np.uint64]


def build_tables(rules: Rules) -> RefineTables:
    """The tables of these rules; see `RefineRules`."""
    kinds, words = rules.kinds, rules.words
    is_small = words <= QUAD
    relations = [fold_kinds(each, kinds) if is_small else each for each in rules.relations]
    classes = max(len(each.rows) for each in relations)
    width = words if words == 1 else QUAD if is_small else -(-words // ROW) * ROW if classes <= 64 else words
    rows = np.zeros((len(relations), classes, width), np.uint64)
    members, none = np.zeros((0, 0, 0), np.uint64), np.zeros(0, np.uint64)
    pages = digits = pattern_rows = class_pages = none
    for number, relation in enumerate(relations):
        rows[number, : len(relation.rows), :words] = relation.rows
    class_of = np.array([relation.class_of for relation in relations], np.int32)
    allowed = rows[np.arange(len(relations))[:, None], class_of]  # [relation, pattern, word]
    if width > 1 and classes <= 64:
        size = {"spare": SPARE} if is_small else {"bits": HEX_DIGIT}
        pages, class_pages = build_pages(rows, **size), build_pages(list_classes(class_of), **size)
        if is_small:
            pattern_rows = np.ascontiguousarray(allowed.transpose(1, 0, 2)).reshape(-1)
    elif width == 1 and len(relations) <= ROW:
        digits = build_digits(allowed[:, :, 0])
    elif is_small and width > 1:
        pages = build_pages(allowed, spare=SPARE)
    else:
        members = np.zeros(rows.shape, np.uint64)
        for number, relation in enumerate(relations):
            members[number, : len(relation.rows)] = list_members(relation)
    kind = np.full_like(kinds, -1) if is_small else kinds.copy()
    kind_members = np.zeros((int(kind.max(initial=-1)) + 1, width), np.uint64)
    for each in range(len(kind_members)):
        kind_members[each, :words] = pack_bits(kinds == each)
    return RefineTables(class_of, rows, members, kind, kind_members, pages, digits, pattern_rows, class_pages)


def list_classes(class_of: NDArray[np.int32]) -> NDArray[np.uint64]:
    """[1, pattern, relation] the class of each pattern, as a bit; padded to whole words, and to quads."""
    relations, patterns = class_of.shape
    bits = np.zeros((1, -(-patterns // 64) * 64, -(-relations // QUAD) * QUAD), np.uint64)
    bits[0, :patterns, :relations] = np.uint64(1) << class_of.T.astype(np.uint64)
    return bits


def tabulate_pairs(
    rules: Rules, width: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint64]]:
    """The soft pairs as `RefineRules` has them: rows [relation, pattern], ln [row, pattern], [row, word]."""
    if rules.soft is None:
        return np.zeros((0, 0), np.int32), np.zeros((0, 0), np.int32), np.zeros((0, 0), np.uint64)
    logs = np.clip(np.log(rules.soft.factors), -LARGEST_FACTOR, LARGEST_FACTOR)
    whole = np.rint(logs * (1 << LOG_BITS)).astype(np.int32)
    mask = np.zeros((len(whole), width), np.uint64)
    mask[:, : rules.words] = pack_bits(whole != 0)
    return rules.soft.row_of, whole, mask


def fold_kinds(relation: Relation, kinds: NDArray[np.int32]) -> Relation:
    """The relation without pairs of one kind."""
    if (kinds < 0).all():
        return relation
    pairs, class_of = np.unique(np.stack([relation.class_of, kinds], axis=1), axis=0, return_inverse=True)
    rows = relation.rows[pairs[:, 0]].copy()
    for number, kind in enumerate(pairs[:, 1]):
        if kind >= 0:
            rows[number] &= ~pack_bits(kinds == kind)
    return Relation(class_of.reshape(-1).astype(np.int32), rows)
