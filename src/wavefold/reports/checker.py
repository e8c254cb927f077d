"""The independent checker of maps, which shares no code with the solver.

Exception: constraints without `violations` of their own are checked by `prune`, as in a search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.options.names import ViolationKind
from wavefold.worlds.world_constraints import find_violations

if TYPE_CHECKING:
    from wavefold.patchwork import Patchwork
    from wavefold.solver import Problem, Solution
    from wavefold.worlds import World

MOST_LISTED = 1000  # violations


class Violation(NamedTuple):
    """A violation in a map."""

    kind: ViolationKind
    cells: tuple[int, ...] | tuple[tuple[int, int], ...]  # numbers; in a patchwork, coordinates
    text: str


@overload
def check(problem: Problem, solution: Solution | ArrayLike, /) -> list[Violation]: ...


@overload
def check(world: World, x0: int, y0: int, width: int, height: int, /) -> list[Violation]: ...


@overload
def check(patchwork: Patchwork, /) -> list[Violation]: ...


def check(problem: Any, *what: Any) -> list[Violation]:
    """List the violations in a map, at most a thousand; empty if it is valid.

    `check(problem, solution)` checks a `Solution` or an array of patterns [cell].
    `check(world, x0, y0, width, height)` checks a rectangle of an endless world.
    `check(patchwork)` checks each side between two populated cells once, including those of dropped cells,
    which `patchwork.report.mismatches_from_dropped` counts.
    """
    if hasattr(problem, "region"):
        if len(what) != 4:
            raise ConfigError("check(world, x0, y0, width, height) needs a position and a size")
        return _check_world(problem, *what)
    if hasattr(problem, "cells_of"):
        if what:
            raise ConfigError("check(patchwork) takes no other arguments")
        return _check_patchwork(problem)[:MOST_LISTED]
    if len(what) != 1:
        raise ConfigError("check(problem, solution) takes a problem and one solution")
    if not hasattr(problem, "rules") or not hasattr(problem, "graph"):
        raise ConfigError(f"check(problem, solution) needs a Problem first, not {problem!r}")
    patterns = np.asarray(getattr(what[0], "patterns", what[0]))
    violations = _check_patterns(problem, patterns)
    if not violations:
        violations += _check_rules(problem, patterns)
        violations += _check_pins_and_masks(problem, patterns)
        violations += _check_constraints(problem, patterns)
    return violations[:MOST_LISTED]


def _check_patterns(problem: Any, patterns: NDArray[Any]) -> list[Violation]:
    """Check that every cell has a pattern of the rules, as the other checks require."""
    cells, count = len(problem.graph.neighbour), len(problem.rules.names)
    if patterns.shape != (cells,) or not np.issubdtype(patterns.dtype, np.integer):
        text = f"expected {cells} whole numbers, one per cell, not {patterns.dtype} {patterns.shape}"
        return [Violation("size", (), text)]
    violations = []
    for cell in np.flatnonzero((patterns < 0) | (patterns >= count))[:MOST_LISTED].tolist():
        text = f"{problem.topology.describe(cell)}: {patterns[cell]} is not a pattern of the rules"
        violations.append(Violation("pattern", (cell,), text))
    return violations


def _check_constraints(problem: Any, patterns: NDArray[Any]) -> list[Violation]:
    violations = []
    for constraint in problem.constraints:
        if not hasattr(constraint, "violations"):
            raise ConfigError(
                f"{constraint!r} cannot be checked: it has no method violations(problem, patterns)"
            )
        texts = constraint.violations(problem, patterns)
        if not isinstance(texts, list):
            raise ConfigError(f"{constraint!r}.violations must return a list of strings, not {texts!r}")
        violations += [Violation("constraint", (), text) for text in texts]
    return violations


def _check_rules(problem: Any, patterns: NDArray[Any]) -> list[Violation]:
    """Check every pair of touching cells, from both sides."""
    rules, topology = problem.rules, problem.topology
    violations = []
    for direction, relation in enumerate(problem.graph.rule):
        other = problem.graph.neighbour[:, direction]
        here = np.flatnonzero(other >= 0)
        there = other[here]
        wrong = np.zeros(here.size, bool)
        for pattern in each_checked(np.unique(patterns[here]), 8):
            mine = patterns[here] == pattern
            wrong[mine] = ~rules.allows(int(relation), int(pattern))[patterns[there[mine]]]
        for i in np.flatnonzero(wrong)[:MOST_LISTED]:
            a, b = int(here[i]), int(there[i])
            text = (
                f"{rules.names[patterns[a]]!r} at {topology.describe(a)} may not have "
                f"{rules.names[patterns[b]]!r} to the {topology.directions[direction]}"
            )
            violations.append(Violation("rule", (a, b), text))
    return violations


def _check_world(world: Any, x0: int, y0: int, width: int, height: int) -> list[Violation]:
    """Check every pair of touching cells of a rectangle; cells are numbered row by row."""
    rules, region = world.rules, np.asarray(world.region(x0, y0, width, height))
    if region.shape != (height, width) or region.min() < 0 or region.max() >= len(rules.names):
        text = f"the region at ({x0}, {y0}) contains values that are not patterns of the rules"
        return [Violation("pattern", (), text)]
    violations = []
    for direction, (right, down) in enumerate(np.asarray(world.steps).tolist()):
        allowed = np.stack([rules.allows(direction, pattern) for pattern in range(len(rules.names))])
        rows = slice(max(0, -down), height - max(0, down))
        columns = slice(max(0, -right), width - max(0, right))
        here = region[rows, columns]
        there = region[rows.start + down : rows.stop + down, columns.start + right : columns.stop + right]
        for row, column in np.argwhere(~allowed[here, there])[:MOST_LISTED].tolist():
            y, x = row + rows.start, column + columns.start
            text = (
                f"{rules.names[here[row, column]]!r} at ({x0 + x}, {y0 + y}) may not have "
                f"{rules.names[there[row, column]]!r} at ({x0 + x + right}, {y0 + y + down})"
            )
            violations.append(Violation("rule", (y * width + x, (y + down) * width + x + right), text))
    if getattr(world, "network", None) is not None and not violations:
        violations += _check_network(world, region, x0, y0)
    if not violations:
        violations += _check_world_constraints(world, region, x0, y0)
    return violations[:MOST_LISTED]


def _check_world_constraints(world: Any, region: NDArray[Any], x0: int, y0: int) -> list[Violation]:
    """Check the constraints of a world in a rectangle."""
    violations: list[Violation] = []
    for constraint in getattr(world, "constraints", ()):
        problem = world.solution(x0, y0, region.shape[1], region.shape[0]).problem
        for text in find_violations(constraint, problem, region.reshape(-1)):
            where = "" if (x0, y0) == (0, 0) else f" (relative to {x0, y0})"
            violations.append(Violation("constraint", (), text + where))
    return violations


def _check_network(world: Any, region: NDArray[Any], x0: int, y0: int) -> list[Violation]:
    """Check that roads leave a rectangle, or are connected within it."""
    height, width = region.shape
    problem = world.solution(x0, y0, width, height).problem
    violations = []
    for cells in world.network.find_cut_off(problem, region.reshape(-1)):
        where = x0 + cells[0] % width, y0 + cells[0] // width
        text = f"the roads at {where} are not connected to the others"
        violations.append(Violation("network", tuple(cells), text))
    return violations


def _check_patchwork(patchwork: Any) -> list[Violation]:
    """Check that grids are complete, cells have patterns, sides are allowed and pins are met."""
    rules, names = patchwork.rules, patchwork.rules.names
    seen = patchwork.snapshot()  # because other threads may change it
    patterns = seen.patterns
    violations = []
    due = {cell: key for key in seen.grids for cell in patchwork.cells_of(key)}
    for cell in sorted({*due, *patterns}):
        if cell not in patterns:
            violations.append(Violation("size", (cell,), f"{cell} of grid {due[cell]} has no pattern"))
        elif cell not in due:
            violations.append(Violation("size", (cell,), f"{cell} does not belong to a populated grid"))
        elif not 0 <= patterns[cell] < len(names):
            text = f"{cell}: {patterns[cell]} is not a pattern of the rules"
            violations.append(Violation("pattern", (cell,), text))
    if violations:
        return violations
    for direction, (right, down) in enumerate(np.asarray(patchwork.steps).tolist()):
        if (right, down) < (0, 0):
            continue  # checked from the other cell
        rows: dict[int, NDArray[Any]] = {}
        for (x, y), pattern in each_checked(patterns.items()):
            other = patterns.get((x + right, y + down))
            if other is None:
                continue
            if pattern not in rows:
                rows[pattern] = rules.allows(direction, pattern)
            if not rows[pattern][other]:
                text = (
                    f"{names[pattern]!r} at {(x, y)} may not have {names[other]!r} at {(x + right, y + down)}"
                )
                violations.append(Violation("rule", ((x, y), (x + right, y + down)), text))
    for cell, tile in patchwork.pins.items():
        if cell in patterns and patterns[cell] not in _list_patterns(rules, tile):
            text = f"{cell} is pinned to {tile!r} but is {names[patterns[cell]]!r}"
            violations.append(Violation("pin", (cell,), text))
    return violations


def _list_patterns(rules: Any, tile: Any) -> set[int]:
    """Return the patterns of a tile name, or of a list of names."""
    every = tile if isinstance(tile, list | set | frozenset) else [tile]
    return {int(pattern) for name in every for pattern in rules.patterns(name)}


def _check_pins_and_masks(problem: Any, patterns: NDArray[Any]) -> list[Violation]:
    violations = []
    names, describe = problem.rules.names, problem.topology.describe
    for pin in problem.pins:
        if patterns[pin.cell] not in pin.patterns:
            text = f"{describe(pin.cell)} is pinned to {pin.name!r} but is {names[patterns[pin.cell]]!r}"
            violations.append(Violation("pin", (pin.cell,), text))
    if problem.masks is not None:
        masks = np.broadcast_to(problem.masks, (patterns.size, len(names)))
        for cell in np.flatnonzero(~masks[np.arange(patterns.size), patterns])[:MOST_LISTED].tolist():
            text = f"the mask forbids {names[patterns[cell]]!r} at {describe(cell)}"
            violations.append(Violation("mask", (cell,), text))
    return violations
