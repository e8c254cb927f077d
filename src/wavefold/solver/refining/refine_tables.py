"""What may touch, as tables for refining: the same for all maps of a tile set."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import pack_bits
from wavefold.kernels.constants import LOG_BITS
from wavefold.kernels.refine_propagation import SPARE
from wavefold.kernels.rows import QUAD
from wavefold.solver.engine.method_tables import build_pages, list_members
from wavefold.tiles import Relation, Rules

LARGEST_FACTOR = 10  # ln of the largest factor of a soft pair; larger ones count as this


class RefineTables(NamedTuple):
    """What may touch, as `RefineRules` has it. Two to four words are padded to four, one vector register."""

    class_of: NDArray[np.int32]
    rows: NDArray[np.uint64]
    members: NDArray[np.uint64]
    kind: NDArray[np.int32]
    kind_members: NDArray[np.uint64]
    pages: NDArray[np.uint64]
    class_pages: NDArray[np.uint64]


def build_tables(rules: Rules) -> RefineTables:
    """The tables of these rules; with pages if a domain has up to four words."""
    width = QUAD if 1 < rules.words <= QUAD else rules.words
    in_pages = width <= QUAD
    kinds = rules.kinds
    relations = [fold_kinds(each, kinds) if in_pages else each for each in rules.relations]
    rows = np.zeros((len(relations), max(len(each.rows) for each in relations), width), np.uint64)
    members = np.zeros((0, 0, 0) if in_pages else rows.shape, np.uint64)
    for number, relation in enumerate(relations):
        rows[number, : len(relation.rows), : rules.words] = relation.rows
        if not in_pages:
            members[number, : len(relation.rows)] = list_members(relation)
    class_of = np.array([relation.class_of for relation in relations], np.int32)
    pages, class_pages = np.zeros((2, 0), np.uint64)
    if width == QUAD and rows.shape[1] <= 64:
        pages, class_pages = build_pages(rows, spare=SPARE), build_class_pages(class_of)
    elif in_pages:
        pages = build_pages(rows[np.arange(len(relations))[:, None], class_of], spare=SPARE)
    kind = np.full_like(kinds, -1) if in_pages else kinds.copy()
    by_kind = [pack_bits(kinds == each) for each in range(int(kind.max(initial=-1)) + 1)]
    kind_members = np.array(by_kind, np.uint64).reshape(-1, width)
    return RefineTables(class_of, rows, members, kind, kind_members, pages, class_pages)


def build_class_pages(class_of: NDArray[np.int32]) -> NDArray[np.uint64]:
    """[page * value * relation] the classes of patterns, by the bytes of a domain; see `build_pages`."""
    relations, patterns = class_of.shape
    bits = np.zeros((1, -(-patterns // 64) * 64, -(-relations // QUAD) * QUAD), np.uint64)
    bits[0, :patterns, :relations] = np.uint64(1) << class_of.T.astype(np.uint64)
    return build_pages(bits, spare=SPARE)


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
