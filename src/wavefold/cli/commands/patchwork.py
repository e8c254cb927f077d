"""`wavefold patchwork build`: a map built grid by grid; options shared with `patchwork compare`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import wavefold as wf
from wavefold.cli.flags import Flags, declared_flags, pick_section
from wavefold.cli.inputs import load_named_tiles, read_flag
from wavefold.cli.options import LEARNING, SUBSET, AsJson, Outputs, Preset, RequiredTileSet, app, command
from wavefold.cli.outputs import (
    check_distinct,
    check_ending,
    check_outputs,
    choose_writer_options,
    is_animation,
    list_written,
    print_result,
    record_written,
)
from wavefold.cli.terminal import print_json, progress_bar, show_map
from wavefold.errors import ConfigError
from wavefold.options.groups import PatchworkOptions, PictureOptions
from wavefold.plugins.map_formats import find_writer, list_companions
from wavefold.plugins.registry import find
from wavefold.storage.files import collect_reads

if TYPE_CHECKING:
    from wavefold.patchwork.state import Snapshot

patchwork = typer.Typer(
    name="patchwork",
    help="Build maps grid by grid, each made to fit its neighbours; compare the ways to join them.",
    epilog="Example: wavefold patchwork build medieval --seed 351921 -o map.png",
    no_args_is_help=True,
)
app.add_typer(patchwork)

Grids = Annotated[
    str,
    typer.Option(
        metavar="GRIDS",
        help='How many, ring by ring; or "ring 2" for all rings up to 2; or positions: "0,0 0,-1 1,-1".',
    ),
]
Presets = Annotated[
    bool,
    typer.Option(
        "--grass-and-water", help="Start with grass in the centre and water at one side (medieval tiles)."
    ),
]

RINGS = re.compile(r"\s*rings?\s*[ :=]?\s*(\d{1,4})\s*", re.IGNORECASE)
KEYS = re.compile(r"\s*-?\d{1,12}\s*,\s*-?\d{1,12}(?:[\s;]+-?\d{1,12}\s*,\s*-?\d{1,12})*[\s;]*")
MOST_CELLS = 1 << 22
OWN_FLAGS = declared_flags(
    (PatchworkOptions, "seed join grids radius retries driven preset presets refine marks levels"),
    (PictureOptions, "tile_size objects save"),
    LEARNING,
    SUBSET,
    tile_size="chosen to fit",
)


@dataclass(frozen=True, slots=True)
class PatchworkSource:
    """The arguments about the map, apart from how grids are joined."""

    tileset: str
    flags: Flags
    grids: str
    preset: str | None = None
    is_driven: bool = False
    presets: bool = False

    def load(self) -> wf.TileSet:
        """Load the tiles; raise if they do not suit a patchwork."""
        from wavefold.patchwork.plan import find_plan

        tiles = load_named_tiles(self.tileset, self.flags)
        find_plan(tiles.topology)
        return tiles

    @property
    def options(self) -> PatchworkOptions:
        """The options of the patchwork, given or by default."""
        return PatchworkOptions(**pick_section(self.flags, "patchwork"))

    def keys(self, tiles: wf.TileSet) -> list[tuple[int, int]]:
        """The positions of the grids, in the order in which they are built."""
        from wavefold.patchwork.plan import find_plan

        keys, radius = parse_grids(self.grids, tiles.topology), self.options.radius
        cells = len(keys) * find_plan(tiles.topology).count_cells(radius)
        if cells > MOST_CELLS:
            raise ConfigError(
                f"{len(keys):,} grids of radius {radius} have {cells:,} cells, more than "
                f"{MOST_CELLS:,}; build fewer, or smaller ones"
            )
        return keys

    def fields_name(self, tiles: wf.TileSet) -> str | None:
        """The name of the preset; None if no fields drive the map."""
        from wavefold.patchwork.plan import find_plan

        return self.preset or (find_plan(tiles.topology).fields_preset if self.is_driven else None)

    def fields(self, tiles: wf.TileSet, seed: int) -> wf.Fields | None:
        """The fields of a map with this seed."""
        from wavefold.patchwork.arguments import build_fields

        return build_fields(tiles, self.fields_name(tiles), seed)


def parse_grids(text: str, topology: str) -> list[tuple[int, int]]:
    """`19`, `ring 2` or `0,0 0,-1 1,-1` -> the positions of these grids."""
    from wavefold.patchwork.plan import MOST_GRIDS, build_order, find_plan

    if re.fullmatch(r"\s*\d{1,9}\s*", text):
        count = int(text)
        if not 1 <= count <= MOST_GRIDS:
            raise ConfigError(f"--grids {count:,}: a map has 1 to {MOST_GRIDS:,} grids")
        return build_order(topology, count)
    found = RINGS.fullmatch(text)
    if found is not None:
        count = find_plan(topology).count_cells(int(found[1]))  # grids lie around the first as cells do
        if count > MOST_GRIDS:
            raise ConfigError(f"--grids {text!r} has more than {MOST_GRIDS:,} grids; name a smaller ring")
        return build_order(topology, count)
    if KEYS.fullmatch(text):
        numbers = [int(each) for each in re.findall(r"-?\d+", text)]
        return list(zip(numbers[::2], numbers[1::2], strict=True))
    raise ConfigError(
        f'--grids {text!r} is not a list of grids: write how many, such as 19; or "ring 2"; or positions, '
        'such as "0,0 0,-1 1,-1"'
    )


# --- build ----------------------------------------------------------------------------------------


@command(
    "Example: wavefold patchwork build --seed 351921 -o map.png -o grow.gif",
    "wavefold patchwork build castle --join fixed --radius 5 --grids 'ring 1' -o castle.png",
    "wavefold patchwork build --driven --json --save map.patchwork",
    "Exit codes: 0 done; 2 wrong usage or bad input; 3 a grid could not be made to fit.",
    group=patchwork,
)
def build(
    tileset: RequiredTileSet = "medieval",
    flags: Flags = OWN_FLAGS,
    grids: Grids = "19",
    driven: Annotated[
        bool, typer.Option("--driven", help="Same as --preset hex, or --preset terrain for square tiles.")
    ] = False,
    preset: Preset = None,
    presets: Presets = False,
    marks: Annotated[
        bool, typer.Option("--marks", help="Outline grids, mark changed and dropped cells, and add a legend.")
    ] = False,
    levels: Annotated[
        bool, typer.Option("--levels/--no-levels", help="Shade the terrain by its height.")
    ] = True,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save the map as a .patchwork file, to extend later."),
    ] = None,
    output: Outputs = None,
    as_json: AsJson = False,
) -> None:
    """Build a map grid by grid: a picture, an animation of the build, a file in any map format."""
    from wavefold.config.models import parse_sweeps
    from wavefold.patchwork.picture import record_growth

    source = PatchworkSource(tileset, flags, grids, preset, driven, presets)
    picture = {"outlines": marks, "marks": marks, "levels": levels, "tile_size": None, "objects": True}
    picture |= pick_section(flags, "picture")
    outputs, options = output or [], source.options
    sweeps = read_flag("--refine", options.refine, parse_sweeps)
    tiles = load_checked(source, save, outputs)
    keys = source.keys(tiles)
    map = wf.Patchwork(
        tiles,
        options.radius,
        options.seed,
        options.join,
        options.retries,
        source.fields(tiles, options.seed),
        presets,
        refine=False if sweeps == "off" else sweeps,
    )
    with progress_bar("grids") as progress:
        steps = record_growth(map, keys, progress)
    if save is not None:
        map.save(save)
        record_written(save)
    for path in outputs:
        write(map, steps, path, picture)
    if not (outputs or save or as_json):
        show_map(map.solution())
    if as_json:
        print_json(collect_data(map, source, list_written()))
    else:
        print_summary(map, tileset)


def load_checked(source: PatchworkSource, save: Path | None, outputs: Sequence[Path]) -> wf.TileSet:
    """Load the tiles, and raise before any work what would fail at the end."""
    find("join", source.options.join)
    check_ending(save, "a saved patchwork", (".patchwork",))
    check_outputs(outputs)
    with collect_reads() as inputs:
        tiles = source.load()
    check_distinct([*outputs, *([save] if save else [])], [0], inputs)
    return tiles


def write(map: wf.Patchwork, steps: Sequence[Snapshot], path: Path, picture: dict[str, Any]) -> None:
    """Write a picture, an animation, or the map in another format."""
    from wavefold.patchwork.picture import GrowthFrames, draw_patchwork
    from wavefold.render.draw import write_image

    if is_animation(path):
        frames = GrowthFrames(map, steps, **picture)
        find_writer(path, "write_animation")(frames, path, frames.milliseconds)
    elif path.suffix.lower() == ".png":
        write_image(draw_patchwork(map, **picture, legend=picture["marks"]), path)
    else:
        solution = map.solution()
        solution.save(path, **choose_writer_options(path, solution.problem, {"objects": picture["objects"]}))
    record_written(path, *list_companions(path))


def collect_data(map: wf.Patchwork, source: PatchworkSource, written: list[str]) -> dict[str, Any]:
    """Plain data; includes the map unless it was written to a file."""
    data: dict[str, Any] = {
        "tileset": source.tileset,
        "topology": map.tiles.topology,
        "seed": map.seed,
        "join": map.join.name,
        "refine": map.refine,
        "radius": map.radius,
        "grids": [list(key) for key in map.grids],
        "retries": {name: getattr(map.retries, name) for name in ("attempts", "replace", "drop")},
        "fields": source.fields_name(map.tiles),
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


def print_summary(map: wf.Patchwork, tileset: str) -> None:
    """One line about the map, and one about dropped cells."""
    name = map.tiles.name or Path(tileset).stem
    print_result(f"{name}, seed {map.seed}, {map.join.name}: {map.report}")
    if map.dropped:
        torn = map.report.mismatches_from_dropped
        sides = "one side does not fit" if torn == 1 else f"{torn:,} sides do not fit"
        cells = "one cell was" if len(map.dropped) == 1 else f"{len(map.dropped):,} cells were"
        typer.echo(f"{cells} dropped, {sides}: red rings in pictures with --marks", err=not list_written())
