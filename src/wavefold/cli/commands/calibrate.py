"""`wavefold calibrate`: a copy of a tile set whose refined maps follow its weights."""

from __future__ import annotations

from typing import Annotated

import typer

import wavefold as wf
from wavefold.cli import options as cli
from wavefold.cli.flags import Flags, declared_flags
from wavefold.cli.inputs import load_tiles, read_flag
from wavefold.cli.outputs import check_ending, print_result, record_written
from wavefold.cli.terminal import note, open_console, print_json, print_table, progress_bar
from wavefold.options.groups import GenerateOptions
from wavefold.plugins.map_formats import list_endings

MOST_TILES = 12
OWN_FLAGS = declared_flags((GenerateOptions, "size subset"), size="64x64")


@cli.command("Example: wavefold calibrate castle --sweeps 60 -o my-castle.toml")
def calibrate(
    tileset: Annotated[str, typer.Argument(help="A drawn tile set, not a learned one.")],
    output: cli.TileSetFile = None,
    sweeps: Annotated[
        int | None,
        typer.Option(
            min=1, help="Sweeps that refine each map.", show_default="what the tile set recommends, or 40"
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often all maps are refined.")] = 24,
    seeds: Annotated[int, typer.Option(min=1, help="How many maps.")] = 6,
    flags: Flags = OWN_FLAGS,
    as_json: cli.AsJson = False,
) -> None:
    """Find activities with which refined maps follow the weights of tiles."""
    from wavefold.config.models import parse_size

    check_ending(output, "a tile set", list_endings("write_tiles"))
    tiles = load_tiles(tileset, subset=flags.get("generate.subset"))
    cells = read_flag("--size", flags.get("generate.size"), parse_size)
    if output is None and not as_json:
        note("the result is only shown; to keep it, stop and add -o my-set.toml")
    with progress_bar("maps") as progress:
        found = wf.calibrate(tiles, sweeps=sweeps, rounds=rounds, seeds=seeds, size=cells, progress=progress)
    if output is not None:
        found.save(output)
        record_written(output)
    assert found.calibration is not None
    reached = found.calibration.reached
    away = sum(abs(target - seen) for target, seen in reached.values()) / 2
    if as_json:
        print_json(
            {
                "tileset": tileset,
                "sweeps": found.sweeps,
                "activities": dict(found.calibration.activities),
                "reached": {tile: list(pair) for tile, pair in reached.items()},
                "distance": round(away, 4),
            }
        )
        return
    ranked = sorted(reached, key=lambda tile: -abs(reached[tile][0] - reached[tile][1]))
    rows = [
        (tile, *(f"{share:.1%}" for share in reached[tile]), f"{found.calibration.activities[tile]:+.2f}")
        for tile in ranked
    ]
    headings = ("furthest off target", "target", "seen", "activity")
    print_table(open_console(), "", headings, rows, MOST_TILES, 1)
    print_result(f"{away:.1%} of the cells are off target after {found.sweeps} sweeps", aside=False)
