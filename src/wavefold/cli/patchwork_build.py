"""`wavefold patchwork build`: one map, as pictures, files and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

import wavefold as wf
from wavefold.cli import ledger
from wavefold.cli.generate import compiling, named
from wavefold.cli.outputs import check_apart, check_outputs, in_flags, is_animation
from wavefold.cli.patchwork_source import Source
from wavefold.cli.program import say_json
from wavefold.cli.world_telling import counting
from wavefold.common.files import check_writable
from wavefold.errors import ConfigError
from wavefold.map_format import companions, find_writer
from wavefold.patchwork.animation import GrowthFrames, GrowthStep, record_growth
from wavefold.patchwork.picture import as_solution, draw_patchwork
from wavefold.plugins import find
from wavefold.render.save import write_image

PICTURE = ".png"
KEPT = ".json"


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for on the command line."""

    source: Source
    seed: int
    join: str
    retries: int | None
    picture: dict[str, Any]
    save: Path | None
    outputs: tuple[Path, ...]
    as_json: bool

    @property
    def is_shown(self) -> bool:
        """Whether the map itself is the answer, because nothing else was asked for."""
        return not (self.outputs or self.save or self.as_json)


def construct(request: Request) -> None:
    """Build the map, then write it. What would fail at the end is checked before."""
    ledger.keep()
    find("join", request.join)
    check_save(request.save)
    check_outputs(request.outputs)
    with ledger.reading() as inputs:
        tiles = request.source.load()
    check_apart([*request.outputs, *([request.save] if request.save else [])], [0], inputs)
    keys = request.source.keys(tiles)
    fields = request.source.fields(tiles, request.seed)
    map = wf.Patchwork(
        tiles,
        request.source.radius,
        request.seed,
        request.join,
        request.retries,
        fields,
        request.source.presets,
    )
    with compiling(), counting("grids") as progress:
        moments = record_growth(map, keys, progress)
    if request.save is not None:
        map.save(request.save)
        ledger.note(request.save)
    with in_flags():
        for path in request.outputs:
            write(map, moments, path, request.picture)
    if request.is_shown:
        from wavefold.cli.terminal import show

        show(as_solution(map))
    if request.as_json:
        say_json(as_data(map, request, ledger.written()))
    else:
        tell(map, ledger.written(), request)


def check_save(path: Path | None) -> None:
    """Raise, before any work, if the map could not be kept there."""
    if path is None:
        return
    if path.suffix.lower() != KEPT:
        raise ConfigError(f"cannot save {str(path)!r}: a patchwork is kept in a {KEPT} file")
    check_writable(path)


def write(map: wf.Patchwork, moments: Sequence[GrowthStep], path: Path, picture: dict[str, Any]) -> None:
    """A picture, a film, or the map in another format."""
    if is_animation(path):
        frames = GrowthFrames(map, moments, **picture)
        find_writer(path, "write_animation")(frames, path, frames.milliseconds)
    elif path.suffix.lower() == PICTURE:
        write_image(draw_patchwork(map, **picture, legend=picture["marks"]), path)
    else:
        as_solution(map).save(path)
    ledger.note(path, *companions(path))


def as_data(map: wf.Patchwork, request: Request, written: list[str]) -> dict[str, Any]:
    """Plain data; it carries the map itself unless files do."""
    data: dict[str, Any] = {
        "tileset": request.source.tileset,
        "topology": map.tiles.topology,
        "seed": map.seed,
        "join": map.join.name,
        "radius": map.radius,
        "grids": [list(key) for key in map.grids],
        "retries": {name: getattr(map.retries, name) for name in ("attempts", "replace", "drop")},
        "fields": request.source.fields_name(map.tiles),
        "presets": [[*cell, tile] for cell, tile in map.pins.items()],
        "changed": [list(cell) for cell in map.changed],
        "dropped": [list(cell) for cell in map.dropped],
        "violations": [violation.text for violation in wf.check(map)],
        "outputs": written,
        "report": map.report.to_dict(),
    }
    if not written:
        data["names"] = list(map.rules.names)
        data["map"] = [[*cell, pattern] for cell, pattern in sorted(map.patterns.items())]
    return data


def tell(map: wf.Patchwork, written: Sequence[str], request: Request) -> None:
    """What was done, for people."""
    name = map.tiles.name or Path(request.source.tileset).stem
    summary = f"{name}, seed {map.seed}, {map.join.name}: {map.report}"
    typer.echo(f"{named(written)} — {summary}" if written else summary, err=not written)
    if map.dropped:
        torn = map.report.mismatches_from_dropped
        sides = "one side does not fit" if torn == 1 else f"{torn:,} sides do not fit"
        cells = "one cell was" if len(map.dropped) == 1 else f"{len(map.dropped):,} cells were"
        typer.echo(f"{cells} dropped, {sides}: red rings in pictures", err=not written)
