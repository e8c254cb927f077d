"""A comparison as one table: for terminals, pages, Markdown and spreadsheets."""

from __future__ import annotations

import csv
from io import StringIO

from wavefold.patchwork.compare.results import Comparison, Trial

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
    "wishes met",
    "median ms",
    "p95 ms",
)
NOTHING = "–"


def rows_of(comparison: Comparison) -> list[tuple[object, ...]]:
    """A row for each case, in the order of `HEADINGS`."""
    return [row_of(trial) for trial in comparison.trials]


def row_of(trial: Trial) -> tuple[object, ...]:
    return (
        trial.case.join,
        trial.case.preset or NOTHING,
        "3 / 5 / 2" if trial.case.retries is None else str(trial.case.retries),
        percent(trial.share("made")),
        percent(trial.share("flawless")),
        known(trial.attempts_per_grid, 2),
        known(trial.mean("changed")),
        known(trial.mean("replaced"), 2),
        known(trial.mean("dropped"), 2),
        known(trial.mean("widened"), 2),
        sum(each.mismatches for each in trial.outcomes),
        NOTHING if trial.wishes is None else percent(trial.wishes),
        known(trial.seconds(50) * 1e3, 0),
        known(trial.seconds(95) * 1e3, 0),
    )


def explained(comparison: Comparison) -> str:
    """What the columns mean, in a few sentences."""
    grids = "one grid" if len(comparison.keys) == 1 else f"{len(comparison.keys)} grids"
    return (
        f"{len(comparison.seeds):,} seeds, {grids} of radius {comparison.radius}, {comparison.cells:,} "
        "cells. Made: every grid was. Flawless: and every side fits. Changed cells, replaced disks, dropped "
        "cells and widened rings are means per map; mismatches are all sides of all maps that do not fit, by "
        "the independent checker. Retries are seeds per phase: attempt, replace, drop. Times are processor "
        "time."
    )


def as_markdown(comparison: Comparison) -> str:
    """A table for Markdown; numbers stand to the right."""
    lines = [
        f"| {' | '.join(HEADINGS)} |",
        f"|{'|'.join('---' if column < 3 else '---:' for column in range(len(HEADINGS)))}|",
        *(f"| {' | '.join(spelled(value) for value in row)} |" for row in rows_of(comparison)),
    ]
    return "\n".join(lines) + "\n"


def as_csv(comparison: Comparison) -> str:
    """The same for spreadsheets."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(HEADINGS)
    for row in rows_of(comparison):
        writer.writerow("" if value == NOTHING else plain(str(value)) for value in row)
    return file.getvalue()


def plain(text: str) -> str:
    """A number as programs read it."""
    return text.replace(",", "").removesuffix(" %")


def spelled(value: object) -> str:
    """One value of a row."""
    return f"{value:,}" if isinstance(value, int) else str(value)


def percent(share: float) -> str:
    """100 % only if it is all of them, 0 % only if it is none."""
    for digits in (1, 2, 3):
        rounded = round(share, digits)
        if (rounded == 100) == (share == 100) and (rounded == 0) == (share == 0):
            break
    return f"{rounded:g} %"


def known(value: float, digits: int = 1) -> str:
    """A number, or a dash for what is not one."""
    return NOTHING if value != value else f"{value:,.{digits}f}"  # noqa: PLR0124 only that differs from itself
