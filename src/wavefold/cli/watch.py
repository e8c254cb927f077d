"""Shows a solve live in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

import wavefold as wf
from wavefold.cli.terminal import can_show_colours, colour_lines, format_letters

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

EVERY = 0.05  # seconds between two pictures


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

    drawn_at = clock() - EVERY

    def draw(_: object) -> None:
        nonlocal drawn_at
        if clock() - drawn_at >= EVERY:
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
        lines = colour_lines(partial, console.width, height)
    else:
        lines = [Text(line[: console.width]) for line in format_letters(partial)[:height]]
    return Text("\n", no_wrap=True).join(lines)
