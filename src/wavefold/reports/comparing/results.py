"""Results of a comparison: cases, maps and grids, and a table for terminals and files."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from io import StringIO
from math import isnan, nan

import numpy as np

from wavefold.patchwork.plan import PLANS, Key
from wavefold.patchwork.state import COUNTS
from wavefold.tiles import TileSet

NOTHING = "–"


@dataclass(frozen=True)
class Case:
    """A combination to compare: a join, its retries, and a preset of fields or none."""

    join: str
    retries: int | None = None  # seeds in each phase; None: the defaults
    preset: str | None = None  # of the fields

    @property
    def name(self) -> str:
        """The name of the case in one line."""
        tried = "" if self.retries is None else f", retries {self.retries}"
        return f"{self.join}{tried}{', driven' if self.preset else ''}"


@dataclass(frozen=True)
class GridStep:
    """One grid of one map: its populated neighbours, and whether it fitted at the first attempt."""

    neighbours: int
    at_once: bool  # at the first attempt, without un-fixed, replaced or dropped cells or widened rings
    changed: int
    dropped: int


@dataclass(frozen=True)
class MapResult:
    """One map."""

    seed: int
    seconds: float  # of processor time
    error: str = ""  # why it failed; empty if it did not
    mismatches: int = 0  # sides that do not fit, counted by the checker
    counts: dict[str, int] = field(default_factory=dict)
    soft_masks_asked: int = 0
    soft_masks_met: int = 0
    grids: int = 0
    steps: tuple[GridStep, ...] = ()

    @property
    def made(self) -> bool:
        """Whether every grid was made."""
        return not self.error

    @property
    def flawless(self) -> bool:
        """Whether every grid was made and every side fits."""
        return self.made and not self.mismatches

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "seed": self.seed,
            "error": self.error or None,
            "seconds": self.seconds,
            "mismatches": self.mismatches,
            "soft_masks_asked": self.soft_masks_asked,
            "soft_masks_met": self.soft_masks_met,
            **self.counts,
        }


@dataclass(frozen=True)
class CaseResult:
    """All maps of one case."""

    case: Case
    maps: tuple[MapResult, ...]

    @property
    def made(self) -> list[MapResult]:
        """The maps that were made."""
        return [each for each in self.maps if each.made]

    def share(self, name: str) -> float:
        """Return the percentage of maps that were `made` or `flawless`."""
        reached = sum(bool(getattr(each, name)) for each in self.maps)
        return 100 * reached / len(self.maps)

    def mean(self, name: str) -> float:
        """Return the mean of a count over the maps that were made."""
        counts = [each.counts[name] for each in self.made]
        return sum(counts) / len(counts) if counts else nan

    def seconds(self, percent: float) -> float:
        """Return a percentile of the time per map; NaN if none was made."""
        times = [each.seconds for each in self.made]
        return float(np.percentile(times, percent)) if times else nan

    @property
    def attempts_per_grid(self) -> float:
        """The mean number of solves per grid."""
        grids = sum(each.grids for each in self.made)
        return sum(each.counts["attempts"] for each in self.made) / grids if grids else nan

    @property
    def soft_masks_percent(self) -> float | None:
        """The percentage of soft masks that were met; None if there were none."""
        asked = sum(each.soft_masks_asked for each in self.made)
        return 100 * sum(each.soft_masks_met for each in self.made) / asked if asked else None

    @property
    def mismatches(self) -> int:
        """The number of sides that do not fit, in all maps."""
        return sum(each.mismatches for each in self.maps)

    def by_neighbours(self) -> dict[int, list[GridStep]]:
        """Group the grids by number of populated neighbours."""
        found: dict[int, list[GridStep]] = {}
        for outcome in self.maps:
            for step in outcome.steps:
                found.setdefault(step.neighbours, []).append(step)
        return dict(sorted(found.items()))

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON; unknown figures are None."""
        median, p95 = self.seconds(50), self.seconds(95)
        return {
            **asdict(self.case),
            "name": self.case.name,
            "made_percent": self.share("made"),
            "flawless_percent": self.share("flawless"),
            "attempts_per_grid": replace_nan(self.attempts_per_grid),
            "per_map": {name: replace_nan(self.mean(name)) for name in COUNTS},
            "totals": {name: sum(each.counts[name] for each in self.made) for name in COUNTS},
            "mismatches": self.mismatches,
            "soft_masks_met_percent": self.soft_masks_percent,
            "seconds": {"median": replace_nan(median), "p95": replace_nan(p95)},
            "by_neighbours": [
                {
                    "neighbours": neighbours,
                    "grids": len(steps),
                    "at_once": sum(step.at_once for step in steps),
                    "changed": sum(step.changed for step in steps),
                    "dropped": sum(step.dropped for step in steps),
                }
                for neighbours, steps in self.by_neighbours().items()
            ],
            "maps": [each.to_dict() for each in self.maps],
        }


@dataclass(frozen=True)
class Comparison:
    """All cases, each with the same seeds."""

    tiles: TileSet
    radius: int
    keys: tuple[Key, ...]
    seeds: tuple[int, ...]
    results: tuple[CaseResult, ...]
    presets: bool = False

    @property
    def cells(self) -> int:
        """The number of cells of one map."""
        return len(self.keys) * PLANS[self.tiles.topology].count_cells(self.radius)

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "tileset": self.tiles.name,
            "topology": self.tiles.topology,
            "radius": self.radius,
            "grids": [list(key) for key in self.keys],
            "cells": self.cells,
            "seeds": list(self.seeds),
            "presets": self.presets,
            "cases": [trial.to_dict() for trial in self.results],
        }


def replace_nan(value: float) -> float | None:
    """Return None for NaN."""
    return None if isnan(value) else value


# --- the table --------------------------------------------------------------------------------------


def format_percent(share: float | None) -> str:
    """Format a percentage, as 100 % or 0 % only if it is exact."""
    if share is None:
        return NOTHING
    for digits in (1, 2, 3):
        rounded = round(share, digits)
        if (rounded == 100) == (share == 100) and (rounded == 0) == (share == 0):
            break
    return f"{rounded:g} %"


def format_number(value: float, digits: int = 1) -> str:
    """Format a number; a dash for NaN."""
    return NOTHING if isnan(value) else f"{value:,.{digits}f}"


COLUMNS: dict[str, Callable[[CaseResult], str]] = {
    "join": lambda each: each.case.join,
    "fields": lambda each: each.case.preset or NOTHING,
    "retries": lambda each: "3 / 5 / 2" if each.case.retries is None else str(each.case.retries),
    "made": lambda each: format_percent(each.share("made")),
    "flawless": lambda each: format_percent(each.share("flawless")),
    "attempts / grid": lambda each: format_number(each.attempts_per_grid, 2),
    "changed": lambda each: format_number(each.mean("changed")),
    "replaced": lambda each: format_number(each.mean("replaced"), 2),
    "dropped": lambda each: format_number(each.mean("dropped"), 2),
    "widened": lambda each: format_number(each.mean("widened"), 2),
    "mismatches": lambda each: f"{each.mismatches:,}",
    "soft masks met": lambda each: format_percent(each.soft_masks_percent),
    "median ms": lambda each: format_number(each.seconds(50) * 1e3, 0),
    "p95 ms": lambda each: format_number(each.seconds(95) * 1e3, 0),
}
TEXT_COLUMNS = 3  # the first columns, which are not numbers


def build_rows(comparison: Comparison) -> list[list[str]]:
    """Build a row for each case, in the order of `COLUMNS`."""
    return [[column(result) for column in COLUMNS.values()] for result in comparison.results]


def explain_columns(comparison: Comparison) -> str:
    """Explain the columns in a few sentences."""
    grids = "one grid" if len(comparison.keys) == 1 else f"{len(comparison.keys)} grids"
    return (
        f"{len(comparison.seeds):,} seeds, {grids} of radius {comparison.radius}, {comparison.cells:,} "
        "cells. Made: every grid was solved. Flawless: every side fits as well. Changed cells, replaced "
        "disks, dropped cells and widened rings are means per map; mismatches are the sides of all maps that "
        "do not fit, counted by the independent checker. Retries are seeds per phase: attempt, replace, "
        "drop. Times are processor time."
    )


def as_markdown(comparison: Comparison) -> str:
    """Format the table as Markdown, with numbers aligned to the right."""
    rule = ["---" if column < TEXT_COLUMNS else "---:" for column in range(len(COLUMNS))]
    lines = [f"| {' | '.join(row)} |" for row in (list(COLUMNS), *build_rows(comparison))]
    return "\n".join([lines[0], f"|{'|'.join(rule)}|", *lines[1:]]) + "\n"


def as_csv(comparison: Comparison) -> str:
    """Format the table as CSV, with numbers without separators and units."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in build_rows(comparison):
        writer.writerow(
            "" if value == NOTHING else value.replace(",", "").removesuffix(" %") for value in row
        )
    return file.getvalue()
