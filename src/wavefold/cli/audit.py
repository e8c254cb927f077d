"""`wavefold audit`: what a tile set can and cannot do, as tables, as JSON or as a page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath

import typer

import wavefold as wf
from wavefold.cli.audit_tables import show
from wavefold.cli.generate import compiling
from wavefold.cli.program import say_json
from wavefold.cli.sources import load_tiles
from wavefold.common.files import check_writable
from wavefold.errors import ConfigError

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for on the command line."""

    tileset: str
    deep: bool
    subset: str | None
    n: int | None
    page: Path | None
    as_json: bool


def examine(request: Request) -> int:
    """Audit, then write and show. The exit code: 1 if it is proved that no map can be made."""
    if request.page is not None:
        check_page(request.page)
    tiles = load(request)
    with compiling(), progress_shown() as progress:
        report = wf.audit(tiles, request.deep, progress)
    if request.page is not None:
        from wavefold.auditing.page.page import save_page

        save_page(report, request.page)
    if request.as_json:
        say_json(report.to_dict())
    else:
        show(report)
        if request.page is not None:
            typer.echo(f"\n{request.page} — the same with pictures")
    return int(report.certificate.verdict == "impossible")


def check_page(path: Path) -> None:
    if path.suffix.lower() not in (".html", ".htm"):
        raise ConfigError(f"cannot write {str(path)!r}: a page ends in .html")
    check_writable(path)


def load(request: Request) -> wf.TileSet:
    """A tile set by name or file; or one learned from a picture."""
    if request.subset is not None and PurePath(request.tileset).suffix.lower() != ".xml":
        raise ConfigError(f"--subset is for mxgmn's .xml files; {request.tileset!r} has no subsets")
    return load_tiles(request.tileset, request.n, request.subset)


@contextmanager
def progress_shown() -> Iterator[Progress | None]:
    """A bar on stderr, wiped at the end; only on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(24), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("…")

        def tell(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total, description=what)

        yield tell
