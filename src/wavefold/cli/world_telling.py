"""What `wavefold world` says: progress, a summary, statistics, JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer

import wavefold as wf
from wavefold.cli.generate import named
from wavefold.cli.world_place import Place
from wavefold.world.bias import Bias

STAGES = ("corner", "edge", "joint", "interior")


@contextmanager
def counting(noun: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on stderr, wiped at the end; only on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(noun), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(noun)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def as_data(
    world: wf.World, place: Place, written: Sequence[str], seconds: float, measured: Bias | None
) -> dict[str, Any]:
    """Plain data."""
    plan = world.plan
    data: dict[str, Any] = {
        "tileset": world.tiles.name,
        "topology": world.tiles.topology,
        "seed": world.seed,
        "region": [place.left, place.right, place.top, place.bottom],
        "chunk": plan.chunk,
        "radius": plan.radius,
        "half_width": plan.half_width,
        "outputs": list(written),
        "seconds": round(seconds, 6),
        "report": world.report.to_dict(),
    }
    if measured is not None:
        data["bias"] = measured.to_dict()
    return data


def tell(
    world: wf.World,
    place: Place,
    written: Sequence[str],
    seconds: float,
    measured: Bias | None,
    stats: bool,
) -> None:
    """What was done, for people."""
    across, down = place.right - place.left, place.bottom - place.top
    size = f"{across} x {down} chunks of {world.plan.chunk} cells"
    summary = f"{world.tiles.name or 'world'}, seed {world.seed}, {size}: {seconds:.2f} s"
    silent = not (written or stats or measured is not None)
    typer.echo(f"{named(written)} — {summary}" if written else summary, err=silent)
    if stats:
        for line in statistics(world, across * down, seconds):
            typer.echo(line)
    if measured is not None:
        for line in bias_lines(measured):
            typer.echo(line)


def statistics(world: wf.World, chunks: int, seconds: float) -> Iterator[str]:
    """What became of the windows, stage by stage."""
    report = world.report
    yield f"{'windows':10}{'solved':>9}{'in blocks':>11}{'unchanged':>11}   blocks, unchanged"
    for name in STAGES:
        stage = getattr(report, name)
        blocks = f"{stage.blocks:,}, {stage.blocks_unchanged:,}" if stage.blocks else "–"
        yield f"{name:10}{stage.solved:9,}{stage.solved_in_blocks:11,}{stage.unchanged:11,}   {blocks}"
    if report.soft_masks_asked:
        asked, met = report.soft_masks_asked, report.soft_masks_met
        yield f"fields: {met:,} of {asked:,} cells follow them ({met / asked:.2%})"
    yield f"{seconds / chunks * 1e3:.1f} ms a chunk; the base {world.certificate}"


def bias_lines(measured: Bias) -> Iterator[str]:
    """How far apart kinds of cells are, beside what chance makes of it."""
    yield (
        f"total variation between samples of {measured.chunks} chunks with {measured.cells:,} cells; "
        "in brackets: how many times the distance of two samples of interiors"
    )
    yield f"{'':30}{'patterns':>16}{'pairs':>16}{'words across':>16}"
    for each in measured.comparisons:
        cells = [f"{one.distance:.3f} ({one.ratio:.2f}x)" for one in (each.patterns, each.pairs, each.words)]
        yield f"{f'{each.one} – {each.other}':30}{cells[0]:>16}{cells[1]:>16}{cells[2]:>16}"
