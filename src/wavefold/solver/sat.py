"""Search by an outside SAT solver: complete, and strong where every choice is entangled with every other.

A variable stands for "this cell is this pattern"; only what propagation leaves gets one. Patterns that a
neighbour cannot tell apart speak through one variable of their own, a group, so the formula grows with
classes and not with pairs of patterns.

The seed decides what each cell tries first. The same seed gives the same map with the same version of
python-sat. No other search reads anything from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import accumulate, combinations, pairwise, product
from math import isqrt
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, Contradiction, OutOfBudget, PluginError
from wavefold.kernels import layout
from wavefold.kernels.bits import draw
from wavefold.solver.budget import Budget, Meter
from wavefold.solver.engine import Engine, signed
from wavefold.solver.explain import explain
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Partial, Solution
from wavefold.solver.statistics import Statistics
from wavefold.solver.tables import whole_weights
from wavefold.tiles import Rules
from wavefold.tiles.relation import Relation, unpacked

__all__ = ["solve_with_sat"]

FEW = 2  # members up to which a group needs no variable of its own
FEW_PAIRS = 6  # patterns up to which each pair is forbidden one by one
SKETCH = 2  # decisions per cell
SLICE = 2000  # conflicts between two looks at the budget; it times restarts, so it shapes content

Clause = list[int]
Template = list[tuple[int, Clause]]  # a literal of one cell, and literals of its neighbour


def solve_with_sat(problem: Problem, seed: int, limits: Budget) -> Solution:
    """Solve to the end. Raises `Contradiction` if nothing exists, `OutOfBudget` if a limit came first.

    A conflict counts as a backtrack. The SAT solver can be stopped only where it would restart, so it
    passes a limit by some hundred conflicts, at times by thousands (a second or so); `decisions` are
    looked at every 2,000 conflicts.
    No limit changes what a finished map looks like.
    """
    solver_class = _solver_class()
    for constraint in problem.constraints:
        if not callable(getattr(constraint, "clauses", None)):
            raise ConfigError(
                f"search='sat' cannot keep the constraint {constraint!r}: it has no method "
                "clauses(problem, variable); every other search can, from 'auto' to 'exact'"
            )
    with solver_class() as sat:
        return Run(problem, seed, limits, sat).solution()


def _solver_class() -> Any:
    try:
        from pysat.solvers import Glucose4
    except ImportError:
        raise PluginError(
            "search='sat' needs python-sat, which is not installed: "
            'pip install "wavefold[exact]" (the package called pysat is another one)'
        ) from None
    return Glucose4


class Run:
    """One SAT solver at work on one problem, within a budget."""

    def __init__(self, problem: Problem, seed: int, limits: Budget, sat: Any) -> None:
        self._problem, self._seed, self._limits, self._sat = problem, seed, limits, sat
        self._meter, self._started = Meter(limits, 0, 0), perf_counter()
        self._seconds = {"setup": 0.0, "search": 0.0}
        self._engine = Engine(problem, Heuristics.of("scanline"))
        self._root = Partial(problem, self._engine.domains.copy())

    def solution(self) -> Solution:
        """The whole way: propagate, write the formula, search."""
        if self._engine.root.empty_cell >= 0:
            raise self._contradiction()
        formula = self._written()
        self._sat.set_phases(formula.first_choices(self._sketch(), self._seed))
        self._seconds["setup"] = perf_counter() - self._started
        if not self._satisfiable():
            raise self._contradiction()
        return Solution(self._problem, formula.patterns(self._sat.get_model()), self._stats(), self._seed)

    def _written(self) -> Formula:
        """The formula, with everything that must hold told to the SAT solver."""
        formula = Formula(self._problem, self._root.possible)
        for cell in range(self._problem.cell_count):
            for clause in formula.clauses_of(cell):
                self._sat.add_clause(clause)
            self._check_budget()
        self._sat.add_clause([-formula.never])
        constraints: tuple[Any, ...] = self._problem.constraints
        for constraint in constraints:
            self._sat.append_formula(constraint.clauses(self._problem, formula))
        return formula

    def _sketch(self) -> NDArray[np.int64]:
        """[cell] what our own search makes of the map in a short while; -1 where it came to nothing.

        From here a SAT solver has little to mend, and what it leaves alone keeps to the weights.
        """
        engine, cells = self._engine, self._problem.cell_count
        engine.begin(self._seed)
        engine.state[layout.LIMIT], engine.state[layout.BACKTRACK_LIMIT] = SKETCH * cells, cells
        engine.advance()
        return Partial(self._problem, engine.domains).patterns

    def _satisfiable(self) -> bool:
        """Search in a second thread, so that the clock and Ctrl-C can interrupt it."""
        answer = None
        with ThreadPoolExecutor(1) as pool:
            while answer is None:
                self._check_budget()
                self._sat.conf_budget(min(SLICE, self._meter.last_backtrack - self._stats().backtracks))
                job = pool.submit(self._sat.solve_limited, expect_interrupt=True)
                try:
                    wait([job], self._seconds_left())
                finally:
                    self._sat.interrupt()
                answer = job.result()
                self._sat.clear_interrupt()
                self._seconds["search"] = perf_counter() - self._started - self._seconds["setup"]
        return bool(answer)

    def _seconds_left(self) -> float | None:
        ms = self._limits.ms
        return None if ms is None else max(0.0, ms / 1e3 - (perf_counter() - self._started))

    def _stats(self) -> Statistics:
        counts = self._sat.accum_stats()
        return Statistics(
            decisions=counts["decisions"],
            contradictions=counts["conflicts"],
            backtracks=counts["conflicts"],
            restarts=counts["restarts"],
            rungs=("sat",),
            seconds=dict(self._seconds),
        )

    def _check_budget(self) -> None:
        stats = self._stats()
        if reason := self._meter.reason_to_stop(stats.decisions, stats.backtracks):
            text = f"{reason} of the SAT solver; allow more, or try another seed or search"
            raise OutOfBudget(text, self._root, stats)

    def _contradiction(self) -> Contradiction:
        explanation = explain(self._problem)
        if not explanation.contradictory:  # its own short search could not tell
            return Contradiction("nothing fits: the SAT solver proved it; no simpler reason was found")
        cells = [*explanation.cells, self._engine.root.empty_cell]
        return Contradiction(str(explanation), cells[0] if cells[0] >= 0 else None, explanation)


class Side(NamedTuple):
    """A relation by classes on both ends: patterns nobody on the other side can tell apart."""

    here: NDArray[np.int32]  # [pattern] -> class
    there: NDArray[np.int32]  # [pattern] -> class
    fits: NDArray[np.bool_]  # [class here, class there]

    @classmethod
    def of(cls, relation: Relation, patterns: int) -> Side:
        back = Relation.from_allowed(unpacked(relation.rows, patterns).T)
        return cls(relation.class_of, back.class_of, unpacked(back.rows, len(relation.rows)).T)


class Shape:
    """What all cells with the same domain share: their variables, numbered from 1, and clauses about them.

    First come the patterns, then groups of patterns: a group is true when one of its members is.
    """

    def __init__(self, patterns: NDArray[np.int64], rules: Rules, sides: dict[int, Side]) -> None:
        self.patterns = patterns
        self.size = patterns.size
        self.clauses: list[Clause] = [list(range(1, self.size + 1))]
        self._variable: dict[tuple[int, ...], int] = {}
        self._at_most_one(self.clauses[0])
        self.here = {number: self._groups(side.here) for number, side in sides.items()}
        self.there = {number: self._groups(side.there) for number, side in sides.items()}
        self.kinds = {kind: group for kind, group in self._groups(rules.kinds).items() if kind >= 0}

    def _groups(self, label: NDArray[np.int32]) -> dict[int, Clause]:
        """By label: literals of which one is true when the cell's pattern has that label."""
        labels = label[self.patterns]
        order = np.argsort(labels, kind="stable")
        ends = [0, *(np.flatnonzero(np.diff(labels[order])) + 1).tolist(), order.size]
        return {int(labels[order[a]]): self._group((order[a:b] + 1).tolist()) for a, b in pairwise(ends)}

    def _group(self, members: Clause) -> Clause:
        if len(members) <= FEW:
            return members
        if (key := tuple(members)) not in self._variable:
            self.size += 1
            self._variable[key] = self.size
            self.clauses += [[-self.size, *members], *([-member, self.size] for member in members)]
        return [self._variable[key]]

    def _at_most_one(self, patterns: Clause) -> None:
        """Few: every pair. Many: lay them out in a rectangle, and allow one row and one column."""
        if len(patterns) <= FEW_PAIRS:
            self.clauses += [[-a, -b] for a, b in combinations(patterns, 2)]
            return
        width = isqrt(len(patterns) - 1) + 1
        rows = [self._group(patterns[start : start + width]) for start in range(0, len(patterns), width)]
        columns = [self._group(patterns[start::width]) for start in range(width)]
        for lines in (rows, columns):
            self.clauses += [[-a, -b] for pair in combinations(lines, 2) for a, b in product(*pair)]


class Formula:
    """A problem as clauses. Called with a cell and a pattern, it gives their variable: for constraints.

    A constraint's `clauses(problem, variable)` yields lists of variables, negated with a minus sign; it
    may take variables of its own from `variable.new()`.
    """

    never = 1  # stands for every pattern that is ruled out already

    def __init__(self, problem: Problem, possible: NDArray[np.bool_]) -> None:
        rules, graph = problem.rules, problem.graph
        self._problem = problem
        self._sides = {n: Side.of(rules.relations[n], len(rules)) for n in sorted(set(graph.rule.tolist()))}
        known: dict[bytes, Shape] = {}
        for domain in possible:
            if (key := domain.tobytes()) not in known:
                known[key] = Shape(np.flatnonzero(domain), rules, self._sides)
        self._shapes = [known[domain.tobytes()] for domain in possible]  # [cell]
        # The SAT solver asks for late variables first: those of patterns, so that groups follow from them.
        patterns = [shape.patterns.size for shape in self._shapes]
        groups = [shape.size - shape.patterns.size for shape in self._shapes]
        *starts, self._last = accumulate([*groups, *patterns], initial=self.never)  # [cell] variables before
        self._group_start, self._pattern_start = starts[: len(groups)], starts[len(groups) :]
        self._templates: dict[tuple[int, Shape, Shape], Template] = {}

    def __call__(self, cell: int, pattern: int) -> int:
        """The variable for "this cell is this pattern"."""
        position = np.flatnonzero(self._shapes[cell].patterns == pattern)
        return self._pattern_start[cell] + 1 + int(position[0]) if position.size else self.never

    def new(self) -> int:
        """A variable nothing else uses."""
        self._last += 1
        return self._last

    def clauses_of(self, cell: int) -> Iterator[Clause]:
        """Exactly one pattern, and something beside it on every side that allows it."""
        shape, literals = self._shapes[cell], self._literals(cell)
        for clause in shape.clauses:
            yield [literals[each] for each in clause]
        for direction, other in enumerate(self._problem.graph.neighbour[cell].tolist()):
            if other == layout.NOWHERE:
                continue
            there = self._literals(other)
            for literal, others in self._template(direction, shape, self._shapes[other]):
                yield [literals[literal], *[there[each] for each in others]]

    def _literals(self, cell: int) -> list[int]:
        """[literal of the shape] -> literal of the cell; negative ones count from the end."""
        shape, first, group = self._shapes[cell], self._pattern_start[cell] + 1, self._group_start[cell] + 1
        own = [*range(first, first + shape.patterns.size)]
        own += range(group, group + shape.size - shape.patterns.size)
        return [0, *own, *(-variable for variable in reversed(own))]

    def _template(self, direction: int, here: Shape, there: Shape) -> Template:
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

    def _supports(self, relation: int, here: Shape, there: Shape) -> Template:
        """Each class here needs one of the classes that fit it there."""
        fits, template = self._sides[relation].fits, []
        for own, literals in here.here[relation].items():
            fitting = [group for other, group in there.there[relation].items() if fits[own, other]]
            if len(fitting) < len(there.there[relation]):
                support = [literal for group in fitting for literal in group]
                template += [(-literal, support) for literal in literals]
        return template

    def first_choices(self, sketch: NDArray[np.int64], seed: int) -> Clause:
        """Which variables to try as true first: the pattern of the sketch, or one drawn by weight."""
        problem, phases = self._problem, []
        given = problem.rules.weights if problem.weights is None else problem.weights
        weights = whole_weights(np.atleast_2d(given))
        for cell, shape in enumerate(self._shapes):
            pattern = sketch[cell]
            if pattern < 0:
                sums = np.cumsum(weights[cell if len(weights) > 1 else 0, shape.patterns])
                drawn = int(draw(signed(seed), cell)) % int(sums[-1])
                pattern = shape.patterns[np.searchsorted(sums, drawn, side="right")]
            phases.append(self(cell, pattern))
        return phases

    def patterns(self, model: Clause) -> NDArray[np.int64]:
        """int64 [cell]: the map a model stands for."""
        true = np.array(model) > 0
        found = zip(self._shapes, self._pattern_start, strict=True)
        chosen = (
            shape.patterns[true[start : start + shape.patterns.size].argmax()] for shape, start in found
        )
        return np.fromiter(chosen, np.int64)
