"""Arrays for refining kernels: adjacency tables of a tile set, and tests of windows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants as c
from wavefold.kernels.constants import LOG_BITS
from wavefold.kernels.host.bitsets import pack_bits, unpack_bits
from wavefold.kernels.refine.structs import SPARE, WindowTests
from wavefold.kernels.vectors import QUAD, ROW
from wavefold.solver.engine.method_tables import build_digits, build_pages, list_members
from wavefold.solver.engine.propagator_table import tabulate_propagators
from wavefold.solver.problem import Problem
from wavefold.solver.propagators import (
    AreaSize,
    DistanceLimit,
    Network,
    Propagator,
    Restriction,
    RunLimit,
    Tally,
    find_propagators,
)
from wavefold.tiles import Relation, Rules

MOST_PAIR_LOG = 10  # ln of the largest factor of a soft pair; larger factors are clipped
HEX_DIGIT_BITS = 4
TESTABLE = (Restriction, Tally, DistanceLimit, RunLimit, AreaSize)  # and some networks, see `is_testable`


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
    """Build the tables of these rules; see `RefineRules`."""
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
        size = {"spare": SPARE} if is_small else {"bits": HEX_DIGIT_BITS}
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
    """List the class of each pattern as a bit [1, pattern, relation], padded to whole words and quads."""
    relations, patterns = class_of.shape
    bits = np.zeros((1, -(-patterns // 64) * 64, -(-relations // QUAD) * QUAD), np.uint64)
    bits[0, :patterns, :relations] = np.uint64(1) << class_of.T.astype(np.uint64)
    return bits


def tabulate_pairs(
    rules: Rules, width: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint64]]:
    """Return the soft pairs as in `RefineRules`: rows [relation, pattern], ln [row, pattern], [row, word]."""
    if rules.soft is None:
        return np.zeros((0, 0), np.int32), np.zeros((0, 0), np.int32), np.zeros((0, 0), np.uint64)
    logs = np.clip(np.log(rules.soft.factors), -MOST_PAIR_LOG, MOST_PAIR_LOG)
    whole = np.rint(logs * (1 << LOG_BITS)).astype(np.int32)
    mask = np.zeros((len(whole), width), np.uint64)
    mask[:, : rules.words] = pack_bits(whole != 0)
    return rules.soft.row_of, whole, mask


def fold_kinds(relation: Relation, kinds: NDArray[np.int32]) -> Relation:
    """Return the relation without pairs of equal kinds."""
    if (kinds < 0).all():
        return relation
    pairs, class_of = np.unique(np.stack([relation.class_of, kinds], axis=1), axis=0, return_inverse=True)
    rows = relation.rows[pairs[:, 0]].copy()
    for number, kind in enumerate(pairs[:, 1]):
        if kind >= 0:
            rows[number] &= ~pack_bits(kinds == kind)
    return Relation(class_of.reshape(-1).astype(np.int32), rows)


def build_tests(problem: Problem, propagators: tuple[Propagator, ...]) -> WindowTests:
    """Build the arrays with which kernels test windows."""
    table = tabulate_propagators(propagators)
    path_side = stack_sides([each.sides for each in propagators if isinstance(each, Network)])
    nodes = problem.cell_count * max(1, path_side.shape[1]) if len(table["propagator"]) else 0
    tallies = sum(isinstance(each, Tally) for each in propagators)
    members = unpack_bits(table["group"], len(problem.rules)) if table["group"].size else table["group"]
    return WindowTests(
        propagator=table["propagator"],
        member=members.astype(np.uint8),
        area=table["area"],
        barrier=table["barrier"],
        path_side=path_side,
        count=np.zeros((tallies, 3), np.int64),
        reached=np.zeros(nodes + 1, np.int64),
        frontier=np.zeros(nodes, np.int32),
        parent=np.zeros(nodes, np.int32),
        waiting=np.zeros(nodes, np.int32),
    )


def stack_sides(sides: list[NDArray[np.uint32]]) -> NDArray[np.uint32]:
    """Stack the sides of all networks, padded to the nodes of the largest: [network, node, pattern]."""
    nodes = max((len(each) for each in sides), default=0)
    padded = [np.pad(each, ((0, nodes - len(each)), (0, 0))) for each in sides]
    return np.stack(padded) if padded else np.zeros((0, 0, 0), np.uint32)


def find_untestable(problem: Problem) -> Any:
    """Find a constraint for which windows cannot be tested; None if there is none."""
    for constraint in problem.constraints:
        propagators = find_propagators(constraint, problem)
        if propagators is None or not all(map(is_testable, propagators)):
            return constraint
    return None


def is_testable(propagator: Propagator) -> bool:
    """Return whether a window can be tested for a propagator.

    `kernels/refine/tests.py` has the tests. Symmetric maps have none: they change in several places at once.
    """
    if isinstance(propagator, Network):
        # REACHED can be tested if the cells to be reached are the same in every map.
        is_fixed = propagator.starts is not None and propagator.starts is propagator.goals
        is_joined = propagator.goal == c.REACHED and is_fixed and propagator.at_most is None
        return propagator.goal in (c.CONNECTED, c.DRAINED) or is_joined
    return isinstance(propagator, TESTABLE)
