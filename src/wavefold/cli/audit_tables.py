"""An audit as tables in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import wavefold as wf
from wavefold.auditing.summary import format_cells, summarize

if TYPE_CHECKING:
    from rich.console import Console


MOST_ROWS = 12
MOST_NAMES = 6


def show(report: wf.Audit) -> None:
    """Tables: with lines and colours for eyes, plain columns for pipes."""
    from rich.console import Console

    looking = sys.stdout.isatty()
    console = Console(highlight=False, width=None if looking else 200)
    tiles = report.tiles
    name = tiles.name or "tile set"
    say(console, f"{name}: {len(tiles.tiles):,} tiles, {report.patterns:,} patterns, {tiles.topology} cells")
    for sentence in summarize(report):
        say(console, sentence)
    for doubt in report.doubts[:MOST_ROWS]:
        say(console, f"doubt: {doubt}")
    tabulate(console, "figures", ("", ""), figures(report))
    tabulate(
        console, "sides that few fit", ("side", "asked for", "patterns", "", "tiles"), narrow_sides(report)
    )
    tabulate(console, "can never appear inside a map", ("pattern", "seen at a rim", "because"), never(report))
    tabulate(console, "row by row, nothing fits", ("asked for", "nearest", "misses"), holes(report))
    tabulate(console, "maps really failed at", ("times", "asked for", "impossible corner"), failures(report))
    tabulate(
        console,
        "trials",
        ("cells", "order", "plain", "ladder", "contradictions / 1,000", "ms"),
        trials(report),
    )
    tabulate(console, "a new tile would fill", ("corners", "of", "sockets"), new_tiles(report))
    tabulate(console, "advice", ("order", "search", "window", "chunk", "because"), advice(report))
    say(console, f"{'deep' if report.deep else 'quick'} audit, {report.seconds:.1f} s")


def say(console: Console, text: str) -> None:
    """A line as it is: names may hold what Rich takes for markup."""
    console.print(text, markup=False, soft_wrap=not console.is_terminal)


def tabulate(
    console: Console,
    title: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[object]],
    most: int = MOST_ROWS,
    left: int | None = None,
) -> None:
    """A table, if there is anything to show; all columns but the first `left` ones stand to the right."""
    if not rows:
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    looking = console.is_terminal
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold" if looking else "",
        box=SIMPLE_HEAD if looking else None,
        show_header=any(headings),
        header_style="dim" if looking else "",
        pad_edge=False,
    )
    for column, heading in enumerate(headings):
        numeric = all(isinstance(row[column], int | float) for row in rows)
        if left is not None:
            numeric = column >= left
        table.add_column(heading, justify="right" if numeric else "left", overflow="fold")
    for row in rows[:most]:
        table.add_row(*(Text(in_figures(value)) for value in row))
    console.print()
    console.print(table)
    if len(rows) > most:
        say(console, f"… and {len(rows) - most:,} more")


def in_figures(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def figures(report: wf.Audit) -> list[tuple[str, str]]:
    pair, triple = report.worst_pair, report.worst_triple
    rows = [
        ("kinds of sides", f"{report.side_kinds:,}"),
        ("dead ends", f"{len(report.dead_ends):,} sides that one pattern fits, or none"),
        ("fragile sides", f"{len(report.fragile_sides):,} that two to four fit"),
        ("impossible pairs", f"{pair.impossible:,} of {pair.combinations:,} at {', '.join(pair.sides)}"),
        ("fragile pairs", f"{pair.fragile:,} that one or two patterns fit"),
        (
            "impossible triples",
            f"{triple.impossible:,} of {triple.combinations:,} at {', '.join(triple.sides)}"
            if triple
            else "not counted: too many kinds of sides",
        ),
        ("endless", str(report.certificate)),
    ]
    if report.correlation:
        rows.append(("correlation length", cells(report.correlation_length)))
        rows.append(("a choice is felt for", cells(report.reach)))
    return rows


def cells(distance: int | None) -> str:
    return "the whole map" if distance is None else format_cells(distance)


def narrow_sides(report: wf.Audit) -> list[tuple[object, ...]]:
    ranked = sorted((*report.dead_ends, *report.fragile_sides), key=lambda side: side.patterns)
    return [(side.side, side.kind, side.patterns, side.verdict, shortened(side.tiles)) for side in ranked]


def shortened(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def never(report: wf.Audit) -> list[tuple[str, str, str]]:
    return [
        (each.pattern, "yes" if each.at_rim else "no", each.why)
        for each in sorted(report.unplaceable, key=lambda each: each.at_rim)
    ]


def asked_for(sides: Sequence[str], kinds: Sequence[str]) -> str:
    return "; ".join(f"{side} {kind}" for side, kind in zip(sides, kinds, strict=True))


def holes(report: wf.Audit) -> list[tuple[str, str, str]]:
    found = report.sub_complete.holes if report.sub_complete is not None else ()
    return [(asked_for(hole.sides, hole.kinds), hole.nearest, hole.missing) for hole in found]


def failures(report: wf.Audit) -> list[tuple[object, ...]]:
    return [
        (
            each.times,
            "; ".join(f"{side} {kind}" for side, kind in each.asked) or "nothing yet",
            "yes" if each.known else "no",
        )
        for each in report.failures.common
    ]


def trials(report: wf.Audit) -> list[tuple[object, ...]]:
    return [
        (
            trial.side,
            trial.order,
            f"{trial.plain} of {trial.runs}",
            f"{trial.full} of {trial.runs}",
            trial.contradictions,
            trial.milliseconds,
        )
        for trial in report.trials
    ]


def new_tiles(report: wf.Audit) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for each in report.suggestions:
        words = [
            f"{socket} +{rise}" if rise else str(socket)
            for socket, rise in zip(each.sockets, each.rises, strict=True)
        ]
        found.append((each.fills, each.failing_before, ", ".join(words)))
    return found


def advice(report: wf.Audit) -> list[tuple[object, ...]]:
    chosen = report.advice
    return [(chosen.order, chosen.search, chosen.window, chosen.chunk, chosen.why)]
