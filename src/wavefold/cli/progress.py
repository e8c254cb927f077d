"""How far a command has come: lines and bars on stderr, wiped at the end, and only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

EVERY = 0.1  # seconds between updates of a line


@contextmanager
def announce_compiling() -> Iterator[None]:
    """Say why the very first solve takes longer than all that follow."""
    from wavefold.kernels.jit import is_warm

    is_first = not is_warm()
    if is_first:
        typer.echo("compiling the kernels, once: about fifteen seconds…", err=True)
    yield
    if is_first:
        typer.echo("…done", err=True)


@contextmanager
def cell_counter(verb: str = "decided") -> Iterator[Callable[[int, int], None] | None]:
    """A line that counts cells: yields `show(done, total)`, or None if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    shown_at = perf_counter()  # a map that takes no time shows no progress

    def show(done: int, total: int) -> None:
        nonlocal shown_at
        if perf_counter() - shown_at >= EVERY:
            shown_at = perf_counter()
            sys.stderr.write(f"\r{done:,} of {total:,} cells {verb} ({done / total:.0%})\x1b[K")
            sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


@contextmanager
def item_bar(noun: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar that counts items: yields `show(done, total)`, or None if stderr is not a terminal."""
    with _bar(noun) as bar:
        if bar is None:
            yield None
        else:
            task = bar.add_task(noun)
            yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def stage_bar() -> Iterator[Callable[[int, int, str], None] | None]:
    """A bar that names the stage: yields `show(done, total, stage)`, or None if stderr is not a terminal."""
    with _bar() as bar:
        if bar is None:
            yield None
        else:
            task = bar.add_task("…")
            yield lambda done, total, stage: bar.update(task, completed=done, total=total, description=stage)


@contextmanager
def _bar(noun: str | None = None) -> Iterator[Progress | None]:
    """A bar of Rich, with a count and the time that is left if there is a noun to count."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    counted = (BarColumn(), MofNCompleteColumn(), TextColumn(noun or ""), TimeRemainingColumn())
    columns = counted if noun else (BarColumn(24), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield bar
