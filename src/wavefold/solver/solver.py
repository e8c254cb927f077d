"""The solver: solves a problem at once or step by step."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import RLock
from time import perf_counter
from typing import Literal, TypedDict, get_args, overload

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, Contradiction, OutOfBudget, WavefoldError, suggest
from wavefold.kernels import constants as c
from wavefold.kernels.host.bitsets import count_set_bits
from wavefold.kernels.host.checkpoint import LimitReached, Stopped, checkpoint, limiting
from wavefold.options.names import CellLike, CellState, Propagation, SearchName, SolverStatus, TileLike, Undo
from wavefold.options.values import check_function, check_type, parse_seed
from wavefold.plugins import upward
from wavefold.solver.budget import Budget, Meter
from wavefold.solver.engine.engine import Engine
from wavefold.solver.engine.events import UNDONE, Batch, Event, Listener, Listeners, add_listener
from wavefold.solver.engine.rule_table import check_propagation
from wavefold.solver.explanation import Explanation, explain
from wavefold.solver.heuristics import Choice, Heuristics, Order, combine_heuristics, find_choice
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.search.auto_order import choose_first_orders
from wavefold.solver.search.callbacks import Callbacks
from wavefold.solver.search.ladder import Ladder, find_ladder
from wavefold.solver.search.search import LadderStopped, Search
from wavefold.solver.solution import Partial, Solution
from wavefold.solver.statistics import Statistics

LEAST_EXPLANATION_MS = 25.0
UNDOS: tuple[str, ...] = get_args(Undo)
Progress = Callable[[int, int], None]
Stop = Callable[[], None]


class SolverOptions(TypedDict, total=False):
    """The options of `Solver`, without the problem and the seed."""

    order: Order
    propagation: Propagation
    search: SearchName | Ladder
    undo: Undo
    choice: Choice | None
    random: Callable[[int], int] | None


class Solver:
    """Solves one problem with one seed. Not thread-safe, except for `cancel`.

    Parameters
    ----------
    order : the order of cells: a name, a `Heuristics`, or a function (see `Heuristics`)
    propagation : "auto", "ac3", "ac4" or "naive"; all give the same map
    search : "auto" uses the whole ladder; "backtrack", "backjump", "repair", "witness", "restart" and
        "exact" are its rungs; "sat" uses an external SAT solver (extra `wavefold[exact]`)
    undo : "delta" or "snapshot"; both give the same map
    choice : the choice of tiles: a name, a function that changes the weights of tiles, or a `Heuristics`, of
        which only the settings for tiles are used
    random : a function from the number of the decision to 64 random bits, instead of the built-in generator
    """

    def __init__(
        self,
        problem: Problem,
        seed: int = 0,
        order: Order = "auto",
        propagation: Propagation = "auto",
        search: SearchName | Ladder = "auto",
        undo: Undo = "delta",
        *,
        choice: Choice | None = None,
        random: Callable[[int], int] | None = None,
    ) -> None:
        check_type("problem", problem, Problem, "a Problem")
        if undo not in UNDOS:
            raise ConfigError(f"unknown undo {undo!r}; {suggest(undo, UNDOS)}")
        self.problem = problem
        self.seed = parse_seed(seed)
        self._ladder, self._undo = find_ladder(search), undo
        self._uses_sat = search == "sat"
        self._propagation = check_propagation(propagation)
        self._heuristics = None if isinstance(order, str) and order == "auto" else Heuristics.of(order)
        chosen, key = find_choice(choice), None
        self._choice = chosen if isinstance(chosen, Heuristics) else None
        function = chosen if self._choice is None else self._choice.choice
        if self._heuristics is not None:
            if self._choice is not None:
                self._heuristics = combine_heuristics(self._heuristics, self._choice)
            self._heuristics.check(problem)
            function = function or self._heuristics.choice
            key = None if isinstance(self._heuristics.order, str) else self._heuristics.order
        elif self._choice is not None:
            self._choice.check(problem)
        self._callbacks = Callbacks(key, function, random)
        self._guard = ThreadGuard()
        self._engine_at_root: Engine | None = None
        self._begun: Search | None = None
        self._set_up_lock = RLock()  # any thread may set up the search, for example by reading `stats`
        self._requirements: list[Pin] = []  # pins and bans made since the start
        self._by_sat: Solution | None = None
        self._listeners: Listeners = []
        self._phase = "setting up"  # the current phase, for error messages

    @property
    def _search(self) -> Search:
        """The search, set up on first use so that a budget includes the set-up."""
        if self._begun is None:
            with self._set_up_lock:
                self._begun = self._begun or self._set_up()
        return self._begun

    def _set_up(self) -> Search:
        started = perf_counter()
        heuristics, fallback = self._heuristics, None
        if heuristics is None:
            heuristics, fallback = choose_first_orders(self.problem.rules, self._ladder)
            if self._choice is not None:
                heuristics = combine_heuristics(heuristics, self._choice)
                fallback = fallback and combine_heuristics(fallback, self._choice)
        engine = self._engine_at_root
        if engine is None:
            engine = Engine(self.problem, heuristics, self._propagation, self._undo, reuse=True)
            self._engine_at_root = engine
        checkpoint()
        search = Search(engine, self._ladder, self.seed, fallback, self._callbacks, self._listeners)
        search.seconds["setup"] = perf_counter() - started
        return search

    @property
    def _engine(self) -> Engine:
        return self._search.engine

    def run(self, budget: Budget | int | None = None, progress: Progress | None = None) -> Solution:
        """Solve the problem.

        Raises `Contradiction` if no map exists, and `OutOfBudget` if a limit is reached; then another `run`
        continues where this one stopped. `progress` is called from time to time with the number of decided
        cells and of all cells.
        """
        check_function("progress", progress)
        return self.run_within(Meter(Budget.of(budget)), progress)

    def run_within(self, meter: Meter, progress: Progress | None = None) -> Solution:
        """Solve the problem like `run`, with a meter that may have started earlier."""
        with self._guard:
            try:
                with limiting(partial(self._check, meter, progress)):
                    checkpoint()
                    if self._uses_sat:
                        return self._run_sat(meter)
                    self._run(meter)
            except (LimitReached, LadderStopped) as stop:
                raise self._out_of_budget(str(stop)) from None
            if progress is not None:
                progress(self._search.count_decided(), self.problem.cell_count)
            if self._search.ending == "impossible":
                raise self._contradiction(meter.remaining())
            return self.solution()

    def step(self) -> SolverStatus:
        """Choose a cell, collapse it and propagate; or undo a failed decision. Returns the status."""
        with self._guard, suppress(LimitReached), limiting(partial(self._check, Meter(Budget()))):
            try:
                self._search.step()
            except LadderStopped as end:
                raise self._out_of_budget(str(end)) from None
        return self.status

    def cancel(self) -> None:
        """Stop a `run` in another thread; it raises `OutOfBudget`, and another `run` continues it."""
        if self._guard.cancel() and self._begun is not None:
            self._engine.interrupt()

    @overload
    def listen(self, listener: Callable[[Event], object], batches: Literal[False] = False) -> Stop: ...

    @overload
    def listen(self, listener: Callable[[Batch], object], batches: Literal[True]) -> Stop: ...

    def listen(self, listener: Listener, batches: bool = False) -> Stop:
        """Call `listener` with every `Event` from now on; returns a function that unsubscribes.

        With `batches`, it is called once per transition with a read-only int32 array [row, (kind, cell,
        pattern, decision)]: a row for each event, or for each removed pattern. A kind is an index into
        `wavefold.EVENT_KINDS`; -1 stands for no cell or no pattern.
        """
        return add_listener(self._listeners, listener, batches)

    def undo(self) -> None:
        """Undo the last decision and its consequences, including refutations."""
        with self._guard:
            if not self._engine.depth:
                why = "" if self._engine.from_root else ": a local repair made the decided cells final"
                if self._engine.state[c.COMMITTED]:
                    why = ": earlier decisions are final, to save memory"
                raise WavefoldError(f"there is no decision to undo{why}")
            cell, pattern = self._engine.undo()
            self._search.ending = ""
            self._search.watcher.publish_row(UNDONE, cell, pattern)

    def pin(self, cell: CellLike, tile: TileLike) -> None:
        """Require a tile in a cell. If it does not fit, raises `Contradiction` without any change."""
        self._restrict(Pin(self.problem.cell(cell), tile, self.problem.patterns_named(tile)))

    def ban(self, cell: CellLike, tile: TileLike) -> None:
        """Exclude a tile from a cell. If nothing else fits, raises `Contradiction` without any change."""
        every = np.arange(len(self.problem.rules))
        left = np.setdiff1d(every, self.problem.patterns_named(tile))
        self._restrict(Pin(self.problem.cell(cell), tile, left, "ban"))

    def domain(self, cell: CellLike) -> list[str]:
        """Return the names of the remaining patterns of a cell."""
        return self.partial().domain(cell)

    def state(self, cell: CellLike) -> CellState:
        """Return "open", "single" (one pattern left), "collapsed" (chosen or pinned) or "empty"."""
        number = self.problem.cell(cell)
        (remaining,) = count_set_bits(self._engine.domains[[number]])
        if remaining == 1:
            return "collapsed" if self._engine.wave.collapsed[number] else "single"
        return "open" if remaining else "empty"

    def entropy(self) -> NDArray[np.float64]:
        """Return the Shannon entropy in nats, float64 [cell]; 0 for decided cells."""
        return self._engine.entropies() / (1 << c.LOG_BITS)

    @property
    def status(self) -> SolverStatus:
        """The status: "open", "contradiction" (the next step goes back), "solved" or "impossible"."""
        if self._search.ending:
            return self._search.ending
        return "contradiction" if self._engine.in_conflict else "open"

    @property
    def stats(self) -> Statistics:
        """The statistics so far."""
        if self._by_sat is not None:
            return self._by_sat.stats
        return self._search.count()

    def solution(self) -> Solution:
        """Return the finished map."""
        if self._search.ending != "solved":
            raise WavefoldError(f"there is no solution yet: the status is {self.status!r}")
        if self._by_sat is not None:
            return self._by_sat
        patterns = self._engine.read_patterns().astype(np.int64)
        problem = self.problem
        if self._requirements:  # pins made during the search also hold when the map is checked or refined
            problem = problem.replace(pins=(*problem.pins, *self._requirements))
        return Solution(problem, patterns, self.stats, self.seed)

    def partial(self) -> Partial:
        """Return a copy of the current wave."""
        return Partial(self.problem, self._engine.domains.copy())

    def __repr__(self) -> str:
        return f"Solver({self.problem!r}, seed {self.seed}, {self.status})"

    def _repr_html_(self) -> str | None:
        return upward.represent_solver(self)

    def explain(self) -> Explanation:
        """Explain which requirements contradict each other, and the effect of removing each."""
        return explain(self.problem, self._requirements)

    def _run(self, meter: Meter) -> None:
        search, engine = self._search, self._engine
        meter.start_counting(engine.decision_count, engine.backtracks)
        self._phase = "searching"
        while not search.ending:
            engine.set_limits(meter.last_decision, meter.last_backtrack)  # a restart resets them
            search.advance(may_forget=True)
            checkpoint()
            if not search.ending and (
                reason := meter.reason_to_stop(engine.decision_count, engine.backtracks)
            ):
                raise LimitReached(reason)

    def _run_sat(self, meter: Meter) -> Solution:
        from wavefold.solver.sat.sat_search import solve_with_sat

        root = self._engine.root_domains
        self._by_sat = solve_with_sat(self.problem, self.seed, meter, root, self._requirements)
        self._search.ending = "solved"
        return self._by_sat

    def _check(self, meter: Meter, progress: Progress | None = None) -> None:
        """Check cancellation and time, and report progress, at every checkpoint of a run."""
        self._callbacks.raise_error()
        if self._guard.is_cancelled:
            raise Stopped("cancelled")
        meter.check_time()
        if progress is not None and self._begun is not None:
            progress(self._search.count_decided(), self.problem.cell_count)

    def _restrict(self, pin: Pin) -> None:
        with self._guard:
            repair, is_pin = self._search.ladder.local_repair, pin.kind == "pin"
            if self._search.ending == "impossible" or not repair.restrict(pin.cell, pin.patterns, is_pin):
                raise self._refusal(pin)
            self._requirements.append(pin)
            self._search.ending = ""

    def _refusal(self, pin: Pin) -> Contradiction:
        """Build the error of a pin or ban that does not fit, with the decisions that could be undone."""
        where = self.problem.topology.describe(pin.cell)
        text = f"the {pin.kind} {pin.name!r} at {where} leaves no pattern that fits"
        if depth := self._engine.depth:
            text += f" with the {depth:,} decision{'s' * (depth > 1)} in force; undo some first"
        if not self._engine.from_root:
            text += " (a local repair made some cells final; a new solver starts without them)"
        return Contradiction(text, pin.cell)

    def _out_of_budget(self, reason: str) -> OutOfBudget:
        if self._begun is None:
            partial_map = Partial(self.problem, self.problem.domains)
            text = f"{reason}, while {self._phase}; raise the budget"
            return OutOfBudget(text, partial_map, Statistics(), self._phase)
        text = (
            f"{reason}, with {self._search.count_decided():,} of {self.problem.cell_count:,} cells decided; "
            "raise the budget, or try another seed, order or search"
        )
        return OutOfBudget(text, self.partial(), self.stats, self._phase)

    def _contradiction(self, ms: float | None) -> Contradiction:
        """Build the error of an impossible problem; it is explained on access, within the remaining time."""
        limit = None if ms is None else max(ms, LEAST_EXPLANATION_MS)
        why = partial(explain, self.problem, tuple(self._requirements), proved=True, ms=limit)
        return Contradiction(cell=self._engine.empty_cell, why=why)


class ThreadGuard:
    """A context manager that raises an error if two threads use a solver at the same time.

    is_cancelled : whether another thread has cancelled the current work
    """

    def __init__(self) -> None:
        self._lock = RLock()  # not held during the work; reentrant, because signal handlers may cancel
        self._is_held = False
        self.is_cancelled = False

    def __enter__(self) -> None:
        with self._lock:
            if self._is_held:
                raise WavefoldError(
                    "this solver is already running, in another thread or in a caller; "
                    "use one solver per thread, and do not call it from a listener"
                )
            self._is_held, self.is_cancelled = True, False

    def __exit__(self, *_error: object) -> None:
        with self._lock:
            self._is_held = self.is_cancelled = False

    def cancel(self) -> bool:
        """Cancel the current work; returns False if there is none."""
        with self._lock:
            self.is_cancelled = self._is_held
            return self.is_cancelled
