"""Rules and weights as arrays for kernels, and the choice of a propagation method."""

from __future__ import annotations

from typing import get_args
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.kernels import constants as c
from wavefold.kernels.host.bitsets import pack_bits
from wavefold.kernels.host.checkpoint import Steps, finish_steps, slices
from wavefold.kernels.logarithms import build_log_table, take_logs
from wavefold.kernels.regions import set_cell_weights
from wavefold.kernels.structs import GroupShares, KernelGraph, RuleTable
from wavefold.kernels.vectors import QUAD, ROW
from wavefold.options.names import Propagation
from wavefold.solver.engine.method_tables import (
    MOST_TABLE_BYTES,
    PAGE_BITS,
    are_rows_disjoint,
    list_members,
    pair_classes,
    with_byte_pages,
    with_class_pages,
    with_slots,
    with_supporters,
)
from wavefold.solver.engine.propagator_table import NO_PROPAGATORS
from wavefold.solver.memory import check_class_memory
from wavefold.tiles import Rules, RuleShape

WEIGHT_BITS = 24
WEIGHED_AT_ONCE = 1 << 20  # weights between two checkpoints
MOST_QUOTA = 1 << 44  # in 1/65536 cells; kernels shift it by 16 bits
PROPAGATIONS: tuple[str, ...] = get_args(Propagation)
# AC3_REMOVALS is faster if all directions together have more than 384 classes, plus one for 16 patterns
MOST_CLASSES, PATTERNS_PER_CLASS = 384, 16
LEAST_CLASS_SIZE = 4  # patterns per class from which AC3_CLASSES is faster than AC3_TABLES
MOST_PACKED_PATTERNS = 0xFFFF  # AC3_REMOVALS packs patterns into 16 bits
# Methods by name. Those with an underscore are for tests and benchmarks.
METHODS = {
    "ac4": c.AC4,
    "naive": c.NAIVE,
    "_tables": c.AC3_TABLES,
    "_classes": c.AC3_CLASSES,
    "_removals": c.AC3_REMOVALS,
    "_rows": c.AC3_ROWS,
    "_neighbours": c.NEIGHBOURS_ONLY,
}

TablesByKey = dict[tuple[int, ...], RuleTable]  # {(method, *facing relations): table}

_methods: WeakKeyDictionary[RuleShape, dict[str, int]] = WeakKeyDictionary()  # {propagation: method}
_unweighted: WeakKeyDictionary[RuleShape, TablesByKey] = WeakKeyDictionary()
_tables: WeakKeyDictionary[Rules, TablesByKey] = WeakKeyDictionary()


def round_weights(weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Round weights to whole numbers of at most 24 bits, the same on every platform.

    Scaling by a power of two and rounding are exact. Weights that round to 0 become 1, so that their patterns
    are used where nothing else fits.
    """
    _, exponent = np.frexp(weights.max())
    return np.maximum(np.rint(np.ldexp(weights, WEIGHT_BITS - int(exponent))), 1).astype(np.int64)


def with_weights(table: RuleTable, weights: NDArray[np.float64]) -> RuleTable:
    """Return the table with these weights: [cell, pattern], or one row for all cells."""
    weight = np.ascontiguousarray(round_weights(weights))
    steps = np.unique(weight)  # few; a look-up of each weight is faster than `return_inverse`
    logs = take_logs(steps)
    weight_log = np.empty_like(weight)
    for part in slices(len(weight), WEIGHED_AT_ONCE // weight.shape[1]):
        weight_log[part] = weight[part] * logs[np.searchsorted(steps, weight[part])]
    byte_sums = np.zeros((0, 0), np.int64)
    if len(weight) == 1:
        both = _sum_bytes(weight[0]), _sum_bytes(weight_log[0])
        byte_sums = np.stack(both, axis=-1).reshape(len(both[0]), -1)
    return table.with_changes(weight=weight, weight_log=weight_log, byte_sums=byte_sums)


def compute_usage_quotas(rules: Rules, cells: int, used: list[int]) -> NDArray[np.int64]:
    """Compute [tile, (quota, expected)] in 1/65536 cells from the usage of earlier maps; see `CellQueue`.

    Quotas also include the cells of the map after this one. Otherwise quotas would approach 0 near the end of
    a map, and small differences would have a large effect.
    """
    weights = np.bincount(rules.tile_of, round_weights(rules.weights), len(rules.tiles))
    shares = [int(weight) << 16 for weight in weights]  # Python's whole numbers do not overflow
    total = sum(shares) >> 16
    horizon = sum(used) + 2 * cells
    rows = []
    for share, count in zip(shares, used, strict=True):
        quota = share * horizon // total - (count << 16)
        rows.append((max(-MOST_QUOTA, min(quota, MOST_QUOTA)), max(1, share * cells // total)))
    return np.array(rows, np.int64)


def _sum_bytes(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sum, for each byte of a domain and each value of it, the values whose bits are set."""
    padded = np.zeros(-(-values.size // 64) * 64, np.int64)
    padded[: values.size] = values
    bits = (np.arange(256)[:, None] >> np.arange(8)) & 1  # [value, bit]
    return np.ascontiguousarray(padded.reshape(-1, 8) @ bits.T)


class GroupWeights:
    """The weights of the rules, multiplied by a factor per cell and group of patterns.

    Each call of `write` reuses the same arrays.

    group_of : int32 [pattern] -> group, or -1 for patterns with the same weight in all cells
    """

    def __init__(self, rules: Rules, table: RuleTable, cells: int, group_of: NDArray[np.int32]) -> None:
        self._shares = GroupShares(rules.weights.copy(), group_of, np.zeros((0, 0)))
        groups = range(int(group_of.max(initial=-1)) + 1)
        self._heaviest = np.array([rules.weights[group_of == group].max() for group in groups])
        self._heaviest_alone = float(rules.weights[group_of < 0].max(initial=0.0))
        self._exponent: int | None = None  # of the current weights
        self.table = table.with_changes(
            weight=np.ones((cells, len(rules)), np.int64),
            weight_log=np.zeros((cells, len(rules)), np.int64),
            byte_sums=np.zeros((0, 0), np.int64),
        )

    @property
    def nbytes(self) -> int:
        """The memory of the weights."""
        return int(self.table.weight.nbytes + self.table.weight_log.nbytes)

    def write(self, factors: NDArray[np.float64]) -> None:
        """Write the weights for these factors [cell, group]; the largest weight has 24 bits."""
        factors = np.ascontiguousarray(factors)
        heaviest = max(self._heaviest_alone, float((factors.max(axis=0) * self._heaviest).max()))
        exponent = WEIGHT_BITS - int(np.frexp(heaviest)[1])
        everything = exponent != self._exponent
        self._exponent = exponent
        scale = float(np.ldexp(1.0, exponent))
        set_cell_weights(self.table, self._shares.with_changes(share=factors), scale, everything)


class PreviousWeights:
    """Rule tables in which the previous patterns of some cells have larger weights."""

    def __init__(self, rules: Rules, table: RuleTable, cells: int) -> None:
        self._weights, self._table, self._cells = rules.weights, table, cells
        self._factor, self._both = 0.0, table

    def write(
        self,
        own: NDArray[np.float64] | None,
        cells: NDArray[np.int64],
        patterns: NDArray[np.int64],
        factor: float,
    ) -> RuleTable:
        """Return the table with these weights [cell, pattern], multiplied by `factor` for these patterns.

        own : None: the weights of the rules
        """
        if own is not None:
            own = own.copy()
            own[cells, patterns] *= factor
            return with_weights(self._table, own)
        if self._factor != factor:  # cached for the next region: plain weights, and multiplied ones
            rows = np.stack([self._weights, factor * self._weights])
            self._factor, self._both = factor, with_weights(self._table, rows)
        weight = np.repeat(self._both.weight[:1], self._cells, axis=0)
        weight_log = np.repeat(self._both.weight_log[:1], self._cells, axis=0)
        weight[cells, patterns] = self._both.weight[1, patterns]
        weight_log[cells, patterns] = self._both.weight_log[1, patterns]
        return self._both.with_changes(weight=weight, weight_log=weight_log)


def choose_method(rules: Rules, propagation: str) -> int:
    """Choose the method for a propagation by name; a pure function of the shape of the rules."""
    chosen = _methods.setdefault(rules.shape, {})
    if propagation not in chosen:
        chosen[propagation] = _choose_method(rules, propagation)
    return chosen[propagation]


def check_propagation(propagation: str) -> str:
    """Return the name of a propagation. Raises `ConfigError` if it is unknown."""
    if propagation not in PROPAGATIONS and propagation not in METHODS:
        raise ConfigError(f"unknown propagation {propagation!r}; {suggest(propagation, PROPAGATIONS)}")
    return propagation


def _choose_method(rules: Rules, propagation: str) -> int:
    check_propagation(propagation)
    is_paired = all(map(are_rows_disjoint, rules.relations)) and len(rules) < MOST_PACKED_PATTERNS
    if propagation in ("_removals", "_rows") and not is_paired:
        raise ConfigError(
            "propagation by removals needs rules with one supporting class per pattern and side"
        )
    if propagation == "_rows" and rules.words > ROW:
        raise ConfigError(f"propagation by rows needs rules of at most {ROW * 64} patterns")
    if propagation in METHODS:
        return METHODS[propagation]
    if rules.words == 1:
        return c.AC3_TABLES
    classes = max((len(relation.rows) for relation in rules.relations), default=1)
    if is_paired and len(rules.relations) == 4 and rules.words <= QUAD and classes < 64:
        return c.AC3_CLASSES  # `propagate_few_classes` can be used
    if is_paired and rules.words <= ROW:
        return c.AC3_ROWS  # fastest for 250 to 512 patterns in 4 to 230 classes; for fewer, from 64 classes
    if is_paired:
        total = sum(len(relation.rows) for relation in rules.relations)
        most = MOST_CLASSES + len(rules) // PATTERNS_PER_CLASS
        return c.AC3_REMOVALS if total > most else c.AC3_CLASSES
    if classes * LEAST_CLASS_SIZE <= len(rules):
        return c.AC3_CLASSES
    table_size = len(rules.relations) * rules.words**2 * 64 * 256
    return c.AC3_TABLES if table_size <= MOST_TABLE_BYTES else c.AC3_CLASSES


def name_method(method: int) -> str:
    """Return the name of a method in statistics."""
    return {
        c.AC3_TABLES: "ac3 (sliced tables)",
        c.AC3_CLASSES: "ac3 (live classes)",
        c.AC3_REMOVALS: "ac3 (removals)",
        c.AC3_ROWS: "ac3 (rows)",
        c.AC4: "ac4",
        c.NAIVE: "naive",
        c.NEIGHBOURS_ONLY: "neighbours",
    }[method]


def build_rule_table(
    rules: Rules, method: int, graph: KernelGraph, weights: NDArray[np.float64] | None = None
) -> RuleTable:
    """Build the arrays of the rules for a method, and add weights; all but the weights are cached."""
    facing: tuple[int, ...] = ()  # the facing relations on this graph, for methods that use them
    if method == c.AC3_CLASSES:
        facing = list_facing_relations(graph, len(rules.relations))
    elif method in (c.AC3_REMOVALS, c.AC3_ROWS):
        facing = tuple(graph.rule.tolist())
    key, made = (method, *facing), _tables.setdefault(rules, {})
    if key not in made:
        bare = _unweighted.setdefault(rules.shape, {})
        if key not in bare:
            bare[key] = finish_steps((id(rules.shape), *key), lambda: _build_steps(rules, method, facing))
        made[key] = with_weights(bare[key], rules.weights[None, :])
    return made[key] if weights is None else with_weights(made[key], weights)


def list_facing_relations(graph: KernelGraph, relations: int) -> tuple[int, ...]:
    """Return for each relation the one seen from the neighbour, or -1."""
    facing = np.full(relations, -1)
    facing[graph.rule] = graph.rule[graph.opposite]
    return tuple(facing.tolist())


def _build_steps(rules: Rules, method: int, facing: tuple[int, ...]) -> Steps[RuleTable]:
    """Build a table in steps, because thousands of patterns take a tenth of a second."""
    relations, partner = rules.relations, np.full(len(rules.relations), -1, np.int32)
    if method == c.AC3_CLASSES:
        check_class_memory(rules)
        relations, partner = pair_classes(relations, facing)
        yield
    classes = np.array([len(relation.rows) for relation in relations], np.int32)
    shape = (len(relations), int(classes.max(initial=1)), rules.words)
    rows, members = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64)
    if method not in (c.AC3_REMOVALS, c.AC3_ROWS):  # these methods use only the shape of the arrays
        for number, relation in enumerate(relations):
            rows[number, : len(relation.rows)] = relation.rows
            members[number, : len(relation.rows)] = list_members(relation)
            yield
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
        page_bits=np.array([PAGE_BITS], np.int64),
        allowed_by_page=nothing,
        allowed_by_digit=nothing,
        classes_by_page=nothing,
        row_start=np.zeros((0, 0), np.int32),
        row_class=np.zeros(0, np.int32),
        slot=np.zeros((0, 0), np.int32),
        member_start=np.zeros(0, np.int32),
        member=np.zeros(0, np.int32),
        fit_start=np.zeros(0, np.int32),
        fit=np.zeros(0, np.int32),
        four_members=nothing,
        four_fits=nothing,
        member_rows=nothing,
        fit_rows=nothing,
        unsupported=np.zeros((0, 0), np.uint64),
        all_patterns=pack_bits(np.ones(len(rules), bool)),
        kind=rules.kinds,
        kind_members=pack_bits(rules.kinds == np.arange(kind_count)[:, None]),
        tile=rules.tile_of,
        weight=np.zeros((0, 0), np.int64),
        weight_log=np.zeros((0, 0), np.int64),
        byte_sums=np.zeros((0, 0), np.int64),
        logarithm=build_log_table(),
        **NO_PROPAGATORS,
    )
    if method == c.AC4:
        table = with_supporters(table, relations)
    elif method in (c.AC3_REMOVALS, c.AC3_ROWS):
        table = yield from with_slots(table, relations, facing, as_rows=method == c.AC3_ROWS)
    elif method == c.AC3_TABLES:
        table = with_byte_pages(table)
    elif method == c.AC3_CLASSES:
        table = with_class_pages(table)
    return table
