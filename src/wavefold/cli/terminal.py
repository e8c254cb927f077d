"""Output of commands: progress, maps, tables, JSON, and a solve shown live.

Colours, lines and progress are for terminals; pipes get plain text. Progress goes to stderr, and is wiped at
the end.
"""

from __future__ import annotations

import json
import os
import string
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from time import perf_counter
from typing import TYPE_CHECKING, Any

import typer

import wavefold as wf

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


ALPHABET = string.ascii_letters + string.digits
UNDECIDED = "?"
MOST_SIGNS = 60  # explained in a legend
MOST_PIXELS_PER_CELL = 6
PIPED_WIDTH = 200  # characters across a table that is not shown in a terminal
UPDATE_SECONDS = 0.1  # seconds between updates of a line
PICTURE_SECONDS = 0.05  # seconds between two pictures


def print_json(data: Any) -> None:
    """Print one line of JSON; characters that the terminal cannot show are escaped."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    typer.echo(json.dumps(data, ensure_ascii=not encoding.startswith("utf")))


def note(message: str) -> None:
    """Print a remark to stderr."""
    typer.echo(f"wavefold: {message}", err=True)


# --- progress -------------------------------------------------------------------------------------


@contextmanager
def show_learning(name: str) -> Iterator[None]:
    """Show how long learning has taken, if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from wavefold.kernels.host.checkpoint import checking

    started = shown_at = perf_counter()

    def show() -> None:
        nonlocal shown_at
        if perf_counter() - shown_at >= UPDATE_SECONDS:
            shown_at = perf_counter()
            write_line(f"learning from {name}: {shown_at - started:.1f} s (Ctrl-C stops)")

    write_line(f"reading {name}…")  # decoding a large picture takes seconds, without a checkpoint
    try:
        with checking(show):
            yield
    finally:
        write_line("")


@contextmanager
def show_writing(path: object) -> Iterator[None]:
    """Show which file is being written, if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    write_line(f"writing {path}…")
    try:
        yield
    finally:
        write_line("")


def write_line(text: str) -> None:
    """Replace the progress line of the terminal; an empty text wipes it."""
    sys.stderr.write(f"\r{text}\x1b[K")
    sys.stderr.flush()


@contextmanager
def cell_counter(done_what: str = "cells decided") -> Iterator[Callable[[int, int], None] | None]:
    """A line that counts cells: yields `show(done, total)`, or None if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    shown_at = perf_counter()  # fast maps show no progress

    def show(done: int, total: int) -> None:
        nonlocal shown_at
        if perf_counter() - shown_at >= UPDATE_SECONDS:
            shown_at = perf_counter()
            write_line(f"{done:,} of {total:,} {done_what} ({done / total:.0%})")

    try:
        yield show
    finally:
        write_line("")


@contextmanager
def progress_bar(noun: str = "") -> Iterator[Callable[..., None] | None]:
    """A bar that counts items: yields `show(done, total)`, or None if stderr is not a terminal.

    Without a noun to count, it names the stage: `show(done, total, stage)`.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    counted = (BarColumn(), MofNCompleteColumn(), TextColumn(noun), TimeRemainingColumn())
    columns = counted if noun else (BarColumn(24), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("…")
        yield lambda done, total, stage="": bar.update(task, completed=done, total=total, description=stage)


# --- maps -----------------------------------------------------------------------------------------


def show_map(solution: wf.Solution | wf.Partial) -> None:
    """Print a map: coloured half blocks in a terminal; letters in a pipe, or if colours are switched off."""
    if can_show_colours():
        show_colours(solution)
    else:
        for line in format_letters(solution):
            typer.echo(line)
        typer.echo(format_legend(solution), err=True)  # aside: stdout is the map and nothing else


def can_show_colours() -> bool:
    """Whether stdout is a terminal that can show coloured blocks, and colours are not switched off."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower()
    return sys.stdout.isatty() and not plain and encoding.startswith("utf")


def show_colours(solution: wf.Solution | wf.Partial) -> None:
    """Print a map as coloured half blocks, as wide as the terminal allows."""
    from rich.console import Console

    console = Console(width=get_terminal_size().columns)
    for line in format_colours(solution, console.width):
        console.print(line)


def format_colours(solution: wf.Solution | wf.Partial, width: int, height: int | None = None) -> list[Text]:
    """Two pixels to a character: the upper half in the text colour, the lower half in the background.

    At most `width` characters wide and `height` lines high.
    """
    import numpy as np
    from rich.text import Text

    from wavefold.render.tile_pictures import fit_image

    smallest = solution.image(tile_size=1)
    rows = sys.maxsize if height is None else 2 * height
    image = solution.image(
        tile_size=min(MOST_PIXELS_PER_CELL, max(1, min(width // smallest.width, rows // smallest.height)))
    )
    share = min(1.0, width / image.width, rows / image.height)
    if share < 1:
        image = fit_image(image, max(1, int(image.width * share)), max(1, int(image.height * share)))
    pixels = np.asarray(image.convert("RGB"))
    if len(pixels) % 2:
        pixels = np.concatenate([pixels, np.zeros_like(pixels[:1])])
    lines = []
    for upper, lower in zip(pixels[::2].tolist(), pixels[1::2].tolist(), strict=True):
        line = Text(no_wrap=True)
        for top, bottom in zip(upper, lower, strict=True):
            line.append("▀", "rgb({},{},{}) on rgb({},{},{})".format(*top, *bottom))
        lines.append(line)
    return lines


def format_letters(solution: wf.Solution | wf.Partial) -> list[str]:
    """The map as lines of text, one letter per cell; layers are separated by an empty line.

    A cell that is not decided yet is a question mark.
    """
    import numpy as np

    rules, topology = solution.problem.rules, solution.problem.topology
    signs = np.array([*choose_letters(rules.tiles), UNDECIDED, " "])
    numbers = np.append(rules.tile_of, len(rules.tiles))[solution.patterns]  # -1 is the last
    tiles = topology.to_array(numbers, missing=len(rules.tiles) + 1)
    layers = signs[tiles] if tiles.ndim == 3 else signs[tiles][None]
    lines: list[str] = []
    for layer in layers:
        lines += ["", *("".join(row) for row in layer)]
    return lines[1:]


def format_legend(solution: wf.Solution | wf.Partial) -> str:
    """The meaning of the letters in a map: "g grass, w water"."""
    rules = solution.problem.rules
    used = {int(rules.tile_of[pattern]) for pattern in solution.patterns.tolist() if pattern >= 0}
    letters = choose_letters(rules.tiles)
    signs = [f"{letters[tile]} {rules.tiles[tile]}" for tile in sorted(used)]
    return ", ".join(signs[:MOST_SIGNS]) + (", …" if len(signs) > MOST_SIGNS else "")


def choose_letters(names: Sequence[str]) -> list[str]:
    """A letter for each tile: the first of its name that is free, or any other. Many tiles share letters."""
    free = dict.fromkeys(ALPHABET)
    chosen: dict[str, str] = {}
    for name in sorted(names, key=len):  # the plainest tiles have the shortest names
        own = [sign for letter in name for sign in (letter.lower(), letter.upper()) if sign in free]
        chosen[name] = next(iter([*own, *free]), name[0])
        free.pop(chosen[name], None)
    return [chosen[name] for name in names]


# --- tables ---------------------------------------------------------------------------------------


def open_console() -> Console:
    """A console for tables, as wide as the terminal, or wide enough for pipes."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else PIPED_WIDTH)


def print_line(console: Console, text: str) -> None:
    """Print a line verbatim: names may contain Rich markup."""
    console.print(text, markup=False, soft_wrap=not console.is_terminal)


def print_table(
    console: Console,
    title: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[object]],
    most: int,
    left: int | None = None,
) -> None:
    """Print a table of at most `most` rows, if there are any.

    left : how many columns are aligned to the left; None: those that are not all numbers
    """
    if not rows:
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    is_terminal = console.is_terminal
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold" if is_terminal else "",
        box=SIMPLE_HEAD if is_terminal else None,
        show_header=any(headings),
        header_style="dim" if is_terminal else "",
        pad_edge=False,
    )
    for column, heading in enumerate(headings):
        numeric = all(isinstance(row[column], int | float) for row in rows)
        if left is not None:
            numeric = column >= left
        table.add_column(heading, justify="right" if numeric else "left", overflow="fold")
    for row in rows[:most]:
        table.add_row(*(Text(format_value(value)) for value in row))
    console.print()
    console.print(table)
    if len(rows) > most:
        print_line(console, f"… and {len(rows) - most:,} more")


def format_value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def check_watching() -> None:
    """Raise unless stdout is a terminal."""
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        raise wf.ConfigError(
            "--watch needs a terminal as output; leave it out, and write the solve as an animation with "
            "-o solve.gif"
        )


@contextmanager
def watch_solver(
    solver: wf.Solver, console: Console, clock: Callable[[], float] = perf_counter
) -> Iterator[None]:
    """Draw the map of a solver while it is solved; wiped at the end."""
    from rich.live import Live

    drawn_at = clock() - PICTURE_SECONDS

    def draw(_: object) -> None:
        nonlocal drawn_at
        if clock() - drawn_at >= PICTURE_SECONDS:
            live.update(draw_lines(solver.partial(), console), refresh=True)
            drawn_at = clock()  # after drawing, so that the solver gets most of the time

    live = Live(
        console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
    )
    with live:
        stop = solver.listen(draw, batches=True)
        try:
            yield
        finally:
            stop()


def draw_lines(partial: wf.Partial, console: Console) -> Text:
    """The map as coloured half blocks, or as letters without colours, no larger than the console."""
    from rich.text import Text

    height = max(1, console.height - 1)
    lines: list[Text]
    if can_show_colours():
        lines = format_colours(partial, console.width, height)
    else:
        lines = [Text(line[: console.width]) for line in format_letters(partial)[:height]]
    return Text("\n", no_wrap=True).join(lines)
