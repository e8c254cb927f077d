"""The encoding of a problem as a SAT formula.

A variable means "this cell is this pattern"; patterns that propagation has removed have none. Patterns with
the same allowed neighbours on a side form a group with one more variable, so that the size of the formula
depends on the number of classes instead of the number of pairs of patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate, combinations, pairwise, product
from math import isqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants as c
from wavefold.kernels.bits import draw, to_signed
from wavefold.kernels.host.bitsets import unpack_bits
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.solver.engine.rule_table import round_weights
from wavefold.solver.problem import Problem
from wavefold.tiles import Rules
from wavefold.tiles.rules import Relation

MOST_INLINE_MEMBERS = 2  # of a group without a variable of its own
MOST_PAIRWISE = 6  # patterns whose pairs are excluded one by one

Clause = list[int]
Template = list[tuple[int, Clause]]  # a literal of one cell, and literals of its neighbour


class SideClasses(NamedTuple):
    """A relation between classes: patterns that allow the same patterns on the other side are one class."""

    here: NDArray[np.int32]  # [pattern] -> class
    there: NDArray[np.int32]  # [pattern] -> class
    fits: NDArray[np.bool_]  # [class here, class there]

    @classmethod
    def of(cls, relation: Relation, patterns: int) -> SideClasses:
        back = Relation.from_allowed(unpack_bits(relation.rows, patterns).T)
        return cls(relation.class_of, back.class_of, unpack_bits(back.rows, len(relation.rows)).T)


class DomainVariables:
    """The variables, numbered from 1, and clauses that all cells with the same domain have in common.

    Variables of patterns come first, then those of groups. A group is true if one of its members is.
    """

    def __init__(self, patterns: NDArray[np.int64], rules: Rules, sides: dict[int, SideClasses]) -> None:
        self.patterns = patterns
        self.size = patterns.size
        self.clauses: list[Clause] = [list(range(1, self.size + 1))]
        self._variable: dict[tuple[int, ...], int] = {}
        self._at_most_one(self.clauses[0])
        self.here = {number: self._groups(side.here) for number, side in sides.items()}
        self.there = {number: self._groups(side.there) for number, side in sides.items()}
        self.kinds = {kind: group for kind, group in self._groups(rules.kinds).items() if kind >= 0}

    def _groups(self, label: NDArray[np.int32]) -> dict[int, Clause]:
        """Return {label: literals}; one of the literals is true if the cell's pattern has the label."""
        labels = label[self.patterns]
        order = np.argsort(labels, kind="stable")
        ends = [0, *(np.flatnonzero(np.diff(labels[order])) + 1).tolist(), order.size]
        return {int(labels[order[a]]): self._group((order[a:b] + 1).tolist()) for a, b in pairwise(ends)}

    def _group(self, members: Clause) -> Clause:
        if len(members) <= MOST_INLINE_MEMBERS:
            return members
        if (key := tuple(members)) not in self._variable:
            self.size += 1
            self._variable[key] = self.size
            self.clauses += [[-self.size, *members], *([-member, self.size] for member in members)]
        return [self._variable[key]]

    def _at_most_one(self, patterns: Clause) -> None:
        """Exclude every pair of a few patterns; arrange many in a rectangle, with one row and one column."""
        if len(patterns) <= MOST_PAIRWISE:
            self.clauses += [[-a, -b] for a, b in combinations(patterns, 2)]
            return
        width = isqrt(len(patterns) - 1) + 1
        rows = [self._group(patterns[start : start + width]) for start in range(0, len(patterns), width)]
        columns = [self._group(patterns[start::width]) for start in range(width)]
        for lines in (rows, columns):
            self.clauses += [[-a, -b] for pair in combinations(lines, 2) for a, b in product(*pair)]


class SatFormula:
    """A problem as clauses. Calling it with a cell and a pattern returns their variable.

    It is the argument `variable` of `Constraint.clauses`.
    """

    never = 1  # the variable of every pattern that propagation removed; always false

    def __init__(self, problem: Problem, possible: NDArray[np.bool_]) -> None:
        rules, graph = problem.rules, problem.graph
        self._problem = problem
        self._sides = {
            n: SideClasses.of(rules.relations[n], len(rules)) for n in sorted(set(graph.rule.tolist()))
        }
        known: dict[bytes, DomainVariables] = {}
        for domain in each_checked(possible):
            if (key := domain.tobytes()) not in known:
                known[key] = DomainVariables(np.flatnonzero(domain), rules, self._sides)
        self._variables = [known[domain.tobytes()] for domain in possible]  # [cell]
        # The SAT solver decides late variables first: those of patterns, so that groups follow from them.
        patterns = [variables.patterns.size for variables in self._variables]
        groups = [variables.size - variables.patterns.size for variables in self._variables]
        *starts, self._last = accumulate([*groups, *patterns], initial=self.never)  # [cell] variables before
        self._group_start, self._pattern_start = starts[: len(groups)], starts[len(groups) :]
        self._templates: dict[tuple[int, DomainVariables, DomainVariables], Template] = {}

    def __call__(self, cell: int, pattern: int) -> int:
        """Return the variable "this cell is this pattern"."""
        position = np.flatnonzero(self._variables[cell].patterns == pattern)
        return self._pattern_start[cell] + 1 + int(position[0]) if position.size else self.never

    @property
    def variable_count(self) -> int:
        """The number of variables so far."""
        return self._last

    def new(self) -> int:
        """Return an unused variable."""
        self._last += 1
        return self._last

    def cell_clauses(self, cell: int) -> Iterator[Clause]:
        """Yield the clauses of a cell: exactly one pattern, and on every side a neighbour that allows it."""
        variables, literals = self._variables[cell], self._literals(cell)
        for clause in variables.clauses:
            yield [literals[each] for each in clause]
        for direction, other in enumerate(self._problem.graph.neighbour[cell].tolist()):
            if other == c.NOWHERE:
                continue
            there = self._literals(other)
            for literal, others in self._template(direction, variables, self._variables[other]):
                yield [literals[literal], *[there[each] for each in others]]

    def _literals(self, cell: int) -> list[int]:
        """Map literals of `DomainVariables` to those of a cell; negative indices count from the end."""
        variables = self._variables[cell]
        first, group = self._pattern_start[cell] + 1, self._group_start[cell] + 1
        own = [*range(first, first + variables.patterns.size)]
        own += range(group, group + variables.size - variables.patterns.size)
        return [0, *own, *(-variable for variable in reversed(own))]

    def _template(self, direction: int, here: DomainVariables, there: DomainVariables) -> Template:
        key = direction, here, there
        if key not in self._templates:
            apart = [
                (-a, [-b])
                for kind in sorted(here.kinds.keys() & there.kinds.keys())
                for a, b in product(here.kinds[kind], there.kinds[kind])
            ]
            self._templates[key] = apart + self._supports(
                int(self._problem.graph.rule[direction]), here, there
            )
        return self._templates[key]

    def _supports(self, relation: int, here: DomainVariables, there: DomainVariables) -> Template:
        """Return clauses by which each class here requires one of the fitting classes there."""
        fits, template = self._sides[relation].fits, []
        for own, literals in here.here[relation].items():
            fitting = [group for other, group in there.there[relation].items() if fits[own, other]]
            if len(fitting) < len(there.there[relation]):
                support = [literal for group in fitting for literal in group]
                template += [(-literal, support) for literal in literals]
        return template

    def first_choices(self, sketch: NDArray[np.int64], seed: int) -> Clause:
        """Choose the variables to set first: the pattern of the sketch, or one drawn by weight."""
        problem, phases = self._problem, []
        given = problem.rules.weights if problem.weights is None else problem.weights
        weights = round_weights(np.atleast_2d(given))
        for cell, variables in each_checked(enumerate(self._variables)):
            pattern = sketch[cell]
            if pattern < 0:
                sums = np.cumsum(weights[cell if len(weights) > 1 else 0, variables.patterns])
                drawn = int(draw(to_signed(seed), cell)) % int(sums[-1])
                pattern = variables.patterns[np.searchsorted(sums, drawn, side="right")]
            phases.append(self(cell, pattern))
        return phases

    def patterns(self, model: Clause) -> NDArray[np.int64]:
        """Return the map, int64 [cell], of a model."""
        true = np.array(model) > 0
        found = zip(self._variables, self._pattern_start, strict=True)
        chosen = (
            variables.patterns[true[start : start + variables.patterns.size].argmax()]
            for variables, start in found
        )
        return np.fromiter(chosen, np.int64)


def bound_count(
    literals: Clause, at_least: int, at_most: int | None, new_variable: Callable[[], int]
) -> Iterator[Clause]:
    """Yield clauses that limit how many of these literals are true (`at_most=None`: no upper limit).

    The encoding is a cardinality network of python-sat: its size grows with n log² bound, and unit
    propagation detects when a bound is reached.
    """
    from pysat.card import CardEnc, EncType

    count = len(literals)
    if at_least > count:
        yield from ([literals[0]], [-literals[0]])
        return
    places, network = list(range(1, count + 1)), {"encoding": EncType.cardnetwrk}
    formulas = [CardEnc.atleast(places, at_least, **network)] if at_least else []
    if at_most is not None and at_most < count:
        formulas.append(CardEnc.atmost(places, at_most, **network))
    for formula in formulas:  # its variables are numbered from 1: first our literals, then its own
        ours = [0, *literals, *(new_variable() for _ in range(count, formula.nv))]
        for clause in formula.clauses:
            yield [ours[each] if each > 0 else -ours[-each] for each in clause]
