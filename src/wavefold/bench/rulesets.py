"""Rules to measure with: tables from a folder, or tiles made on the spot."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.tiles import Tile, TileSet

NORTH_EAST_SOUTH_WEST = [3, 2, 1, 0]  # in tables that count left, down, right, up


class RuleSet(NamedTuple):
    """A rule table as the reference kernels read it, and the same as tiles of ours."""

    name: str
    allowed: NDArray[np.bool_]  # [left/down/right/up, pattern, pattern]
    weight: NDArray[np.int64]  # [pattern]
    tiles: TileSet


def load_rule_sets(folder: Path | None) -> dict[str, RuleSet]:
    """Every rule table of a folder of reference kernels, by name; none without a folder."""
    paths = sorted((folder / "rules").glob("*.npz")) if folder else []
    return {path.stem: load_rule_set(path) for path in paths}


def load_rule_set(path: Path) -> RuleSet:
    """One rule table; its directions go left, down, right, up, ours north, east, south, west."""
    with np.load(path) as data:
        allowed, weight = data["allowed"], data["weight"].astype(np.int64)
    names = [f"{path.stem.lower()}-{number}" for number in range(weight.size)]
    tiles = TileSet.from_allowed(names, allowed[NORTH_EAST_SOUTH_WEST], weight.astype(np.float64))
    return RuleSet(path.stem, allowed, weight, tiles)


def forty_tiles() -> TileSet:
    """Forty tiles with three sockets: those whose sockets add up to an even number, but for one.

    Whatever stands to the north and to the west, some tile fits.
    """
    even = [sides for sides in product(range(3), repeat=4) if sum(sides) % 2 == 0 and sides != (2, 2, 2, 2)]
    return TileSet(
        (Tile("t" + "".join(map(str, sides)), tuple(map(str, sides)), 1.0 + sum(sides)) for sides in even),
        name="forty",
    )


def usual_tiles(folder: Path | None) -> tuple[str, TileSet]:
    """The public *Circuit* set of forty tiles if the folder has it, else forty tiles of our own."""
    sets = load_rule_sets(folder)
    return ("Circuit", sets["Circuit"].tiles) if "Circuit" in sets else ("forty tiles", forty_tiles())


def hard_tiles(folder: Path | None) -> dict[str, TileSet]:
    """Sets on which an unlucky order runs into contradictions; a bundled one if the folder has none."""
    sets = load_rule_sets(folder)
    chosen: dict[str, TileSet] = {
        name: each.tiles for name, each in sets.items() if name in ("Castle", "Rooms")
    }
    return chosen or {"meadow": TileSet.load("meadow")}
