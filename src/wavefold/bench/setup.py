"""What a benchmark is run with: how much of it, and where its data is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from wavefold.errors import ConfigError

DATA_VARIABLE = "WAVEFOLD_DATA"  # names a folder with public samples and tile tables


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
    world_chunks: int  # at random places
    plain_side: int  # of maps that plain Python solves
    contradiction_seeds: int
    contradiction_sides: tuple[int, ...]
    cold_start: bool  # whether to compile everything once more


FULL = BenchEffort(
    seeds=40,
    map_side=64,
    sample_seeds={48: 30, 128: 12, 256: 5},
    growth_seeds={64: 30, 128: 15, 256: 7, 512: 3, 1024: 3},
    large_side=1024,
    hex_seeds=20,
    patchwork_grids=19,
    world_chunks=1000,
    plain_side=24,
    contradiction_seeds=40,
    contradiction_sides=(8, 12, 16),
    cold_start=True,
)
QUICK = BenchEffort(
    seeds=3,
    map_side=16,
    sample_seeds={48: 2},
    growth_seeds={16: 3, 32: 3, 64: 2},
    large_side=64,
    hex_seeds=2,
    patchwork_grids=3,
    world_chunks=4,
    plain_side=8,
    contradiction_seeds=4,
    contradiction_sides=(8,),
    cold_start=False,
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
