"""What to measure with: how much of it, where public data is, rule tables and made-up tiles."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.tiles import Tile, TileSet

DATA_VARIABLE = "WAVEFOLD_DATA"  # names a folder with public samples and tile tables
SQUARE = ("castle", "circuit", "dungeon", "knots", "meadow", "pipes", "terrain")
NORTH_EAST_SOUTH_WEST = [3, 2, 1, 0]  # in tables that count left, down, right, up


@dataclass(frozen=True, slots=True)
class BenchEffort:
    """Sizes and repetitions. Every median is over this many seeds, after one that is not counted."""

    seeds: int
    map_side: int  # of the usual small map
    sample_seeds: dict[int, int]  # side of the map -> seeds
    growth_seeds: dict[int, int]  # side of the map -> seeds
    large_side: int
    hex_seeds: int
    patchwork_grids: int
    world_sets: tuple[str, ...]  # square tile sets; hexagons are always measured
    world_chunks: int  # at random places
    plain_side: int  # of maps that plain Python solves
    contradiction_seeds: int
    contradiction_sides: tuple[int, ...]
    sweep_seeds: int
    widest_set: int  # patterns
    widest_sample: int  # patterns
    budgets: tuple[int, ...]  # milliseconds
    look_maps: int  # of each set and order that are measured
    look_sweeps: int
    most_sweeps: int
    look_samples: int  # learned sets
    border_chunks: int  # across and down
    smooth_pictures: bool  # whether to learn ten thousand patterns
    start_runs: int  # fresh processes


FULL = BenchEffort(
    seeds=40,
    map_side=64,
    sample_seeds={48: 30, 128: 12, 256: 5},
    growth_seeds={64: 30, 128: 15, 256: 7, 512: 3, 1024: 3},
    large_side=1024,
    hex_seeds=20,
    patchwork_grids=19,
    world_sets=SQUARE,
    world_chunks=1000,
    plain_side=24,
    contradiction_seeds=40,
    contradiction_sides=(8, 12, 16),
    sweep_seeds=5,
    widest_set=5000,
    widest_sample=5000,
    budgets=(20, 100, 1000),
    look_maps=16,
    look_sweeps=60,
    most_sweeps=2000,
    look_samples=3,
    border_chunks=12,
    smooth_pictures=True,
    start_runs=9,
)
QUICK = BenchEffort(
    seeds=3,
    map_side=16,
    sample_seeds={48: 2},
    growth_seeds={16: 3, 32: 3, 64: 2},
    large_side=64,
    hex_seeds=2,
    patchwork_grids=3,
    world_sets=SQUARE,
    world_chunks=4,
    plain_side=8,
    contradiction_seeds=4,
    contradiction_sides=(8,),
    sweep_seeds=1,
    widest_set=100,
    widest_sample=260,
    budgets=(20,),
    look_maps=2,
    look_sweeps=4,
    most_sweeps=8,
    look_samples=0,
    border_chunks=2,
    smooth_pictures=False,
    start_runs=1,
)


@dataclass(frozen=True, slots=True)
class Setup:
    """One run of the benchmark."""

    effort: BenchEffort
    reference: Path | None  # a folder with reference kernels
    data: Path | None  # a folder with public samples and tile tables

    @classmethod
    def load(cls, against: str | None, quick: bool) -> Setup:
        """From the options of the command and the environment."""
        reference = None if against is None else Path(against)
        if reference is not None and not (reference / "kernel.py").is_file():
            raise ConfigError(
                f"{str(reference)!r} is not a folder of reference kernels: "
                "it needs kernel.py, and rule tables in rules/*.npz"
            )
        data = os.environ.get(DATA_VARIABLE)
        if data and not Path(data).is_dir():
            raise ConfigError(f"{DATA_VARIABLE} names {data!r}, which is not a folder")
        return cls(QUICK if quick else FULL, reference, Path(data) if data else None)


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
