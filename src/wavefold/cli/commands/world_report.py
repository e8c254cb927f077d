"""What `wavefold world` prints about a region: a summary, statistics, JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import typer

import wavefold as wf
from wavefold.cli.commands.world_files import ChunkRange
from wavefold.cli.outputs import list_files

if TYPE_CHECKING:
    from wavefold.world.bias import Bias

STAGES = ("corner", "edge", "joint", "interior")


def as_data(
    world: wf.World, region: ChunkRange, written: Sequence[str], seconds: float, measured: Bias | None
) -> dict[str, Any]:
    """Plain data."""
    plan = world.plan
    data: dict[str, Any] = {
        "tileset": world.tiles.name,
        "topology": world.tiles.topology,
        "seed": world.seed,
        "region": [region.left, region.right, region.top, region.bottom],
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


def print_summary(
    world: wf.World,
    region: ChunkRange,
    written: Sequence[str],
    seconds: float,
    measured: Bias | None,
    stats: bool,
) -> None:
    """One line about the region, and statistics if asked for."""
    across, down = region.right - region.left, region.bottom - region.top
    size = f"{across} x {down} chunks of {world.plan.chunk} cells"
    summary = f"{world.tiles.name or 'world'}, seed {world.seed}, {size}: {seconds:.2f} s"
    is_aside = not (written or stats or measured is not None)
    typer.echo(f"{list_files(written)} — {summary}" if written else summary, err=is_aside)
    if stats:
        for line in statistics_lines(world, across * down, seconds):
            typer.echo(line)
    if measured is not None:
        for line in bias_lines(measured):
            typer.echo(line)


def statistics_lines(world: wf.World, chunks: int, seconds: float) -> Iterator[str]:
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
    """How far apart the statistics of kinds of cells are, compared with chance."""
    yield (
        f"total variation between samples of {measured.chunks} chunks with {measured.cells:,} cells; "
        "in brackets: how many times the distance of two samples of interiors"
    )
    yield f"{'':30}{'patterns':>16}{'pairs':>16}{'words across':>16}"
    for each in measured.comparisons:
        cells = [f"{one.distance:.3f} ({one.ratio:.2f}x)" for one in (each.patterns, each.pairs, each.words)]
        yield f"{f'{each.one} – {each.other}':30}{cells[0]:>16}{cells[1]:>16}{cells[2]:>16}"
