"""A comparison as a table, for terminals, pages, Markdown and spreadsheets."""

from __future__ import annotations

import csv
from io import StringIO

from wavefold.patchwork.compare.results import CaseResult, Comparison

HEADINGS = (
    "join",
    "fields",
    "retries",
    "made",
    "flawless",
    "attempts / grid",
    "changed",
    "replaced",
    "dropped",
    "widened",
    "mismatches",
    "soft masks met",
    "median ms",
    "p95 ms",
)
NOTHING = "–"


def rows_of(comparison: Comparison) -> list[tuple[object, ...]]:
    """A row for each case, in the order of `HEADINGS`."""
    return [row_of(trial) for trial in comparison.results]


def row_of(trial: CaseResult) -> tuple[object, ...]:
    return (
        trial.case.join,
        trial.case.preset or NOTHING,
        "3 / 5 / 2" if trial.case.retries is None else str(trial.case.retries),
        format_percent(trial.share("made")),
        format_percent(trial.share("flawless")),
        format_number(trial.attempts_per_grid, 2),
        format_number(trial.mean("changed")),
        format_number(trial.mean("replaced"), 2),
        format_number(trial.mean("dropped"), 2),
        format_number(trial.mean("widened"), 2),
        sum(each.mismatches for each in trial.maps),
        NOTHING if trial.soft_masks_percent is None else format_percent(trial.soft_masks_percent),
        format_number(trial.seconds(50) * 1e3, 0),
        format_number(trial.seconds(95) * 1e3, 0),
    )


def explain_columns(comparison: Comparison) -> str:
    """What the columns mean, in a few sentences."""
    grids = "one grid" if len(comparison.keys) == 1 else f"{len(comparison.keys)} grids"
    return (
        f"{len(comparison.seeds):,} seeds, {grids} of radius {comparison.radius}, {comparison.cells:,} "
        "cells. Made: every grid was solved. Flawless: every side fits, too. Changed cells, replaced disks, "
        "dropped cells and widened rings are means per map; mismatches are the sides of all maps that do not "
        "fit, according to the independent checker. Retries are seeds per phase: attempt, replace, drop. "
        "Times are processor time."
    )


def as_markdown(comparison: Comparison) -> str:
    """A table for Markdown; numbers are aligned to the right."""
    lines = [
        f"| {' | '.join(HEADINGS)} |",
        f"|{'|'.join('---' if column < 3 else '---:' for column in range(len(HEADINGS)))}|",
        *(f"| {' | '.join(format_value(value) for value in row)} |" for row in rows_of(comparison)),
    ]
    return "\n".join(lines) + "\n"


def as_csv(comparison: Comparison) -> str:
    """The table as CSV."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(HEADINGS)
    for row in rows_of(comparison):
        writer.writerow("" if value == NOTHING else strip_format(str(value)) for value in row)
    return file.getvalue()


def strip_format(text: str) -> str:
    """A number without separators and units."""
    return text.replace(",", "").removesuffix(" %")


def format_value(value: object) -> str:
    """One value of a row as text."""
    return f"{value:,}" if isinstance(value, int) else str(value)


def format_percent(share: float) -> str:
    """100 % only if it is all of them, 0 % only if it is none."""
    for digits in (1, 2, 3):
        rounded = round(share, digits)
        if (rounded == 100) == (share == 100) and (rounded == 0) == (share == 0):
            break
    return f"{rounded:g} %"


def format_number(value: float, digits: int = 1) -> str:
    """A number, or a dash for NaN."""
    return NOTHING if value != value else f"{value:,.{digits}f}"  # noqa: PLR0124 only that differs from itself
