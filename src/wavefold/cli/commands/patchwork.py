"""`wavefold patchwork`: what its two commands share, which is the tiles, grids and fields of a map."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated

import typer

import wavefold as wf
from wavefold.cli.inputs import load_tiles
from wavefold.cli.options import TILESET, app
from wavefold.errors import ConfigError

patchwork = typer.Typer(
    name="patchwork",
    help="Build maps grid by grid, each made to fit its neighbours; compare the ways to join them.",
    epilog="Example: wavefold patchwork build medieval --seed 351921 -o map.png",
    no_args_is_help=True,
)
app.add_typer(patchwork)

PatchworkTiles = Annotated[str, typer.Argument(help=TILESET)]
Grids = Annotated[
    str,
    typer.Option(
        metavar="GRIDS",
        help='How many, ring by ring; or "ring 2" for all rings up to 2; or positions: "0,0 0,-1 1,-1".',
    ),
]
GridRadius = Annotated[int, typer.Option(min=1, max=128, help="Radius of a grid: cells around its centre.")]
Preset = Annotated[
    str | None,
    typer.Option(help="Fields that drive the map, by name: hex or terrain.", show_default="no fields"),
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


@dataclass(frozen=True, slots=True)
class PatchworkSource:
    """What the command line says about the map, apart from how grids are joined."""

    tileset: str
    n: int | None
    subset: str | None
    grids: str
    radius: int
    preset: str | None = None
    is_driven: bool = False
    presets: bool = False

    def load(self) -> wf.TileSet:
        """Load the tiles; raise if no patchwork can be made of them."""
        from wavefold.patchwork.plan import find_plan

        tiles = load_tiles(self.tileset, self.n, self.subset)
        find_plan(tiles.topology)
        return tiles

    def keys(self, tiles: wf.TileSet) -> list[tuple[int, int]]:
        """The positions of the grids, in the order in which they are built."""
        from wavefold.patchwork.plan import find_plan

        keys = parse_grids(self.grids, tiles.topology)
        cells = len(keys) * find_plan(tiles.topology).count_cells(self.radius)
        if cells > MOST_CELLS:
            raise ConfigError(
                f"{len(keys):,} grids of radius {self.radius} have {cells:,} cells, more than "
                f"{MOST_CELLS:,}; build fewer, or smaller ones"
            )
        return keys

    def fields_name(self, tiles: wf.TileSet) -> str | None:
        """The name of the preset; None if no fields drive the map."""
        from wavefold.patchwork.plan import find_plan

        return self.preset or (find_plan(tiles.topology).fields_preset if self.is_driven else None)

    def fields(self, tiles: wf.TileSet, seed: int) -> wf.Fields | None:
        """The fields of a map with this seed."""
        from wavefold.patchwork.arguments import fields_for

        return fields_for(tiles, self.fields_name(tiles), seed)


def parse_grids(text: str, topology: str) -> list[tuple[int, int]]:
    """`19`, `ring 2` or `0,0 0,-1 1,-1` -> the positions of these grids."""
    from wavefold.patchwork.plan import MOST_GRIDS, build_order, count_grids_within, list_rings

    if re.fullmatch(r"\s*\d{1,9}\s*", text):
        count = int(text)
        if not 1 <= count <= MOST_GRIDS:
            raise ConfigError(f"--grids {count:,}: a map has 1 to {MOST_GRIDS:,} grids")
        return build_order(topology, count)
    found = RINGS.fullmatch(text)
    if found is not None:
        far = int(found[1])
        if count_grids_within(topology, far) > MOST_GRIDS:
            raise ConfigError(f"--grids {text!r} are more than {MOST_GRIDS:,} grids; name a smaller ring")
        return list_rings(topology, far)
    if KEYS.fullmatch(text):
        numbers = [int(each) for each in re.findall(r"-?\d+", text)]
        return list(zip(numbers[::2], numbers[1::2], strict=True))
    raise ConfigError(
        f'--grids {text!r} is not a list of grids: write how many, such as 19; or "ring 2"; or positions, '
        'such as "0,0 0,-1 1,-1"'
    )


# These add the commands `build` and `compare`, in this order.
for _name in ("patchwork_build", "patchwork_compare"):
    import_module(f"wavefold.cli.commands.{_name}")
