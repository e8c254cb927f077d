"""`wavefold generate`: one map, from a name and a size."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import typer

import wavefold as wf
from wavefold.errors import ConfigError
from wavefold.plugins import available
from wavefold.render.save import check_place

__all__ = ["Request", "grow"]

PROGRESS_EVERY = 0.1  # seconds


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for on the command line."""

    tileset: str
    size: str
    seed: int
    wrap: bool
    order: str
    search: str
    budget: int | None
    tile_size: int | None
    output: Path | None
    as_json: bool


def grow(request: Request) -> None:
    """Solve, then write or show. What would fail at the end is checked before the work."""
    spans = read_size(request.size)
    if request.output is not None:
        check_output(request.output)
    tiles = wf.TileSet.load(request.tileset)
    topology = topology_for(tiles.topology, spans, request.wrap)
    started = perf_counter()
    limits: dict[str, Any] = {} if request.budget is None else {"budget": request.budget}
    with compiling(), progress_shown() as progress:
        solution = wf.generate(
            tiles,
            topology,
            seed=request.seed,
            order=request.order,
            search=request.search,
            progress=progress,
            **limits,
        )
    seconds = perf_counter() - started
    if request.output is not None:
        write(solution, request)
    report(solution, request, seconds)


def read_size(text: str) -> tuple[int, ...]:
    """(across, down) or (across, down, layers)."""
    if not re.fullmatch(r"[1-9]\d{0,6}(x[1-9]\d{0,6}){1,2}", text, re.IGNORECASE):
        raise ConfigError(
            f"--size {text!r} is not a size: write it as cells across x cells down, such as 64x48"
        )
    return tuple(int(part) for part in text.lower().split("x"))


def check_output(path: Path) -> None:
    """The ending and the place of the file to write."""
    if path.suffix.lower() not in available("writer"):
        known = ", ".join(available("writer"))
        raise ConfigError(f"cannot write {str(path)!r}: known endings are {known}")
    check_place(path)


def topology_for(kind: str, spans: tuple[int, ...], wrap: bool) -> Any:
    """A topology of the kind the tiles are drawn for."""
    if kind == "cube":
        width, height, depth = (*spans, 1)[:3]
        return wf.CubeGrid(width, height, depth, wraps=wrap)
    if len(spans) != 2:
        raise ConfigError(
            f"{kind} cells have no layers: write --size as cells across x cells down, such as 64x48"
        )
    if kind == "hex":
        return wf.HexGrid.rhombus(*spans, wraps=True) if wrap else wf.HexGrid.rectangle(*spans)
    return wf.SquareGrid(*spans, wraps=wrap)


@contextmanager
def compiling() -> Iterator[None]:
    """Say why the first solve ever takes longer than all that follow."""
    from wavefold.kernels.jit import is_warm

    warm = is_warm()
    if not warm:
        typer.echo("compiling the kernels, once: about fifteen seconds…", err=True)
    yield
    if not warm:
        typer.echo("…done", err=True)


@contextmanager
def progress_shown() -> Iterator[Callable[[int, int], None] | None]:
    """A line on stderr that is rewritten as cells are decided, and wiped at the end; only on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    shown_at = perf_counter()  # a map that takes no time shows no progress

    def show(decided: int, total: int) -> None:
        nonlocal shown_at
        if perf_counter() - shown_at >= PROGRESS_EVERY:
            shown_at = perf_counter()
            sys.stderr.write(f"\r{decided:,} of {total:,} cells ({decided / total:.0%})\x1b[K")
            sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def write(solution: wf.Solution, request: Request) -> None:
    """The picture, in the size asked for."""
    if request.output is None:
        return
    if request.tile_size is None:
        solution.save(request.output)
    else:
        from wavefold.render import save_picture

        save_picture(solution, request.output, tile_size=request.tile_size)


def report(solution: wf.Solution, request: Request, seconds: float) -> None:
    """What was done: JSON alone, or a line for people (after the map itself, if it was not written)."""
    if request.as_json:
        typer.echo(json.dumps(as_data(solution, request, seconds), ensure_ascii=False))
        return
    if request.output is None:
        from wavefold.cli.terminal import show

        show(solution)
    stats = solution.stats
    effort = f"{stats.decisions:,} decisions, {stats.backtracks:,} taken back, {seconds:.2f} s"
    summary = f"{request.tileset}, {request.size}, seed {request.seed}: {effort}"
    if request.output is None:
        typer.echo(summary, err=True)
    else:
        typer.echo(f"{request.output} — {summary}")


def as_data(solution: wf.Solution, request: Request, seconds: float) -> dict[str, Any]:
    """Plain data; it carries the map itself unless a file does."""
    data: dict[str, Any] = {
        "tileset": request.tileset,
        "size": list(read_size(request.size)),
        "seed": request.seed,
        "wrap": request.wrap,
        "output": None if request.output is None else str(request.output),
        "seconds": round(seconds, 6),
        "stats": solution.stats.to_dict(),
    }
    if request.output is None:
        data["names"] = list(solution.problem.rules.names)
        data["map"] = solution.array.tolist()  # [row][column], indices into names; -1: no cell
    return data
