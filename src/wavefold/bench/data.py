"""What to measure with: rule tables, made-up tiles, public samples, and the figures of other engines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.solver import Problem
from wavefold.tiles import LearnedTileSet, Tile, TileSet, learn
from wavefold.topology import SquareGrid

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

    Some tile fits every pair of neighbours to the north and to the west.
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


@dataclass(frozen=True, slots=True)
class LearnedSample:
    """What was learned from a picture, and how maps are made from it."""

    name: str
    tiles: LearnedTileSet
    periodic_output: bool

    def problem(self, side: int) -> Problem:
        """A square map; ground becomes a mask."""
        grid = SquareGrid(side, side, wraps=self.periodic_output)
        masks = None if self.tiles.ground_pattern is None else self.tiles.ground_masks(grid)
        return Problem(self.tiles, grid, masks=masks)


def read_samples(data: Path) -> Iterator[tuple[dict[str, Any], LearnedSample]]:
    """Every sample listed in the folder's cases, with its entry there."""
    folder = data / "mxgmn"
    for case in json.loads((folder / "cases.json").read_text(encoding="utf-8"))["samples"]:
        path = folder / "samples" / f"{case['name']}.png"
        tiles = learn(path, case["n"], case["symmetry"], case["periodic_input"], case["ground"])
        yield case, LearnedSample(case["name"], tiles, case["periodic_output"])


PEERS_SOURCE = (
    "successful solves by public engines in their own default order, processor time, "
    "measured November 2026 on one core of a 2-core machine (noise about 30 %)"
)
PEER_SIDES = (48, 128, 256)

# Engine -> milliseconds for maps of 48x48, 128x128 and 256x256; None where it never succeeded.
PEER_MILLISECONDS: dict[str, dict[str, tuple[float | None, float | None, float | None]]] = {
    "Skyline": {
        "fast-wfc (C++)": (21, 265, 1850),
        "gridbugs/wfc (Rust)": (43, 400, 1990),
        "mxgmn (C#)": (88, 782, 6860),
        "DeBroglie (C#)": (57, 547, 2440),
    },
    "Flowers": {
        "fast-wfc (C++)": (13, 154, 1190),
        "gridbugs/wfc (Rust)": (29, 224, 1100),
        "mxgmn (C#)": (35, 467, None),
        "DeBroglie (C#)": (88, 242, 1030),
    },
    "City": {
        "fast-wfc (C++)": (4.5, 59, 735),
        "gridbugs/wfc (Rust)": (11.5, 80, 283),
        "mxgmn (C#)": (18, 202, 1580),
        "DeBroglie (C#)": (19, 134, 586),
    },
}


def fastest_peer(sample: str, side: int) -> tuple[str, float] | None:
    """The engine that was fastest on this sample at this size, and its milliseconds."""
    if sample not in PEER_MILLISECONDS or side not in PEER_SIDES:
        return None
    column = PEER_SIDES.index(side)
    times = {engine: row[column] for engine, row in PEER_MILLISECONDS[sample].items()}
    known = {engine: ms for engine, ms in times.items() if ms is not None}
    engine = min(known, key=lambda each: known[each])
    return engine, known[engine]
