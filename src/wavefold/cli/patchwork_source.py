"""What a patchwork is made of on the command line: tiles, grids, fields."""

from __future__ import annotations

import re
from dataclasses import dataclass

import wavefold as wf
from wavefold.cli.sources import load_tiles
from wavefold.errors import ConfigError, TileSetError
from wavefold.patchwork.orders import MOST_GRIDS, build_order, grids_within, rings
from wavefold.patchwork.presets import USUAL, fields_for

Key = tuple[int, int]

RINGS = re.compile(r"\s*rings?\s*[ :=]?\s*(\d{1,4})\s*", re.IGNORECASE)
KEYS = re.compile(r"\s*-?\d{1,12}\s*,\s*-?\d{1,12}(?:[\s;]+-?\d{1,12}\s*,\s*-?\d{1,12})*[\s;]*")
MOST_CELLS = 1 << 22


@dataclass(frozen=True, slots=True)
class Source:
    """What the command line says about the map, but how it is joined."""

    tileset: str
    n: int | None
    subset: str | None
    grids: str
    radius: int
    preset: str | None = None
    is_driven: bool = False
    presets: bool = False

    def load(self) -> wf.TileSet:
        """The tiles; those no patchwork can be made of are refused."""
        tiles = load_tiles(self.tileset, self.n, self.subset)
        if tiles.topology not in USUAL:
            raise TileSetError(
                f"a patchwork is made of hex or square tiles, and these are for {tiles.topology}s"
            )
        return tiles

    def keys(self, tiles: wf.TileSet) -> list[Key]:
        """The grids, in the order in which they are built."""
        keys = read_grids(self.grids, tiles.topology)
        side = 2 * self.radius + 1
        cells = len(keys) * (
            3 * self.radius * (self.radius + 1) + 1 if tiles.topology == "hex" else side * side
        )
        if cells > MOST_CELLS:
            raise ConfigError(
                f"{len(keys):,} grids of radius {self.radius} have {cells:,} cells, more than "
                f"{MOST_CELLS:,}; build fewer, or smaller ones"
            )
        return keys

    def fields_name(self, tiles: wf.TileSet) -> str | None:
        """The preset of the fields; None if none drive the map."""
        return self.preset or (USUAL[tiles.topology] if self.is_driven else None)

    def fields(self, tiles: wf.TileSet, seed: int) -> wf.Fields | None:
        """The fields of a map with this seed."""
        return fields_for(tiles, self.fields_name(tiles), seed)


def read_grids(text: str, topology: str) -> list[Key]:
    """`19`, `ring 2` or `0,0 0,-1 1,-1` -> the keys of these grids."""
    if re.fullmatch(r"\s*\d{1,9}\s*", text):
        count = int(text)
        if not 1 <= count <= MOST_GRIDS:
            raise ConfigError(f"--grids {count:,}: a map has 1 to {MOST_GRIDS:,} grids")
        return build_order(topology, count)
    found = RINGS.fullmatch(text)
    if found is not None:
        far = int(found[1])
        if grids_within(topology, far) > MOST_GRIDS:
            raise ConfigError(f"--grids {text!r} are more than {MOST_GRIDS:,} grids; name a smaller ring")
        return rings(topology, far)
    if KEYS.fullmatch(text):
        numbers = [int(each) for each in re.findall(r"-?\d+", text)]
        return list(zip(numbers[::2], numbers[1::2], strict=True))
    raise ConfigError(
        f'--grids {text!r} names no grids: write how many, such as 19; or "ring 2"; or keys, such as '
        '"0,0 0,-1 1,-1"'
    )
