"""What commands start from: the configuration, a tile set, a grid, pins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path, PurePath
from typing import Any

import wavefold as wf
from wavefold.config import Effective, load_config
from wavefold.errors import ConfigError
from wavefold.tiles.samples import is_sample

__all__ = ["Task", "Wishes", "bytes_from", "load_tiles", "read_place"]

PICTURES = (".png", ".gif", ".bmp", ".jpg", ".jpeg", ".webp")
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
# Measured: a map of 1024 x 1024 cells with up to 64 patterns takes about 540 bytes per cell.
BYTES_PER_CELL, BYTES_PER_WORD = 340, 200


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line says about the problem."""

    tileset: str | None
    flags: Mapping[str, Any]  # dotted keys of the configuration; None: not given
    pins: tuple[str, ...] = ()
    n: int | None = None
    config: Path | None = None
    memory: str | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What there is to solve."""

    effective: Effective
    tiles: wf.TileSet
    topology: Any
    problem: wf.Problem

    @classmethod
    def of(cls, wishes: Wishes) -> Task:
        """Put the configuration, the flags and the pins together."""
        limit = None if wishes.memory is None else bytes_from(wishes.memory)
        effective = load_config(wishes.config, flags={"generate.tileset": wishes.tileset, **wishes.flags})
        tiles = tiles_of(effective, wishes)
        if limit is not None:
            check_memory(effective, tiles, limit, wishes.memory or "")
        topology = effective.topology(tiles)
        pins = dict(read_pin(text) for text in wishes.pins)
        problem = wf.Problem(tiles, topology, pins, **with_ground(effective, tiles, topology))
        return cls(effective, tiles, topology, problem)

    @property
    def seeds(self) -> range:
        """The seeds of all maps that were asked for."""
        generate = self.effective.config.generate
        return range(generate.seed, generate.seed + generate.count)

    def solver(self, seed: int) -> wf.Solver:
        """A solver as the configuration wants it."""
        return wf.Solver(
            self.problem, **self.effective.solver_parts(self.tiles, self.topology) | {"seed": seed}
        )

    @property
    def budget(self) -> wf.Budget:
        """The limits that were set, or the usual ones."""
        return self.effective.budget or wf.default_budget(self.problem.cell_count)


def tiles_of(effective: Effective, wishes: Wishes) -> wf.TileSet:
    """The tile set; a picture is learned from."""
    name = effective.config.generate.tileset
    learned = name is not None and name not in wf.tilesets() and is_picture(name)
    if wishes.n is not None and not learned:
        raise ConfigError("--n is for pictures to learn from; this is a tile set")
    if learned or wishes.tileset is not None:
        return load_tiles(str(name), wishes.n, effective.config.generate.subset)
    return effective.tiles()


def load_tiles(name: str, n: int | None = None, subset: str | None = None) -> wf.TileSet:
    """A tile set by name or file; or one learned from a picture or a sample's name."""
    if name not in wf.tilesets() and is_picture(name):
        return wf.learn(name, n=n)
    return wf.TileSet.load(name, **({} if subset is None else {"subset": subset}))


def is_picture(name: str) -> bool:
    """Whether this names a picture, or a bundled one."""
    return is_sample(name) or PurePath(name).suffix.lower() in PICTURES


def with_ground(effective: Effective, tiles: wf.TileSet, topology: Any) -> dict[str, Any]:
    """The keywords of a problem; a set learned with a ground has it in the bottom row."""
    parts = effective.problem_parts(tiles, topology)
    if getattr(tiles, "ground_pattern", None) is not None and "masks" not in parts:
        parts["masks"] = tiles.ground_masks(topology)  # type: ignore[attr-defined]
    return parts


def read_pin(text: str) -> tuple[tuple[int, ...], str]:
    """`3,4=road` -> ((3, 4), "road")."""
    place, equals, tile = text.partition("=")
    if not equals or not tile:
        raise ConfigError(f"--pin {text!r} is not a pin: write it as X,Y=TILE, such as 3,4=road")
    return read_place(place, "--pin"), tile


def read_place(text: str, flag: str) -> tuple[int, ...]:
    """`3,4` -> (3, 4)."""
    if not re.fullmatch(r"\s*-?\d{1,12}(\s*,\s*-?\d{1,12}){1,2}\s*", text):
        raise ConfigError(f"{flag} {text!r} has no place: write it as X,Y (or X,Y,Z for cubes), such as 3,4")
    return tuple(int(part) for part in text.split(","))


def bytes_from(text: str) -> int:
    """`4GB` -> 4294967296."""
    found = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,3})?)\s*([KMGT]?)i?B?\s*", text, re.IGNORECASE)
    if found is None:
        raise ConfigError(f"--memory {text!r} is not an amount: write it as 4GB or 500MB")
    return int(float(found[1]) * UNITS[found[2].upper()])


def check_memory(effective: Effective, tiles: wf.TileSet, limit: int, flag: str) -> None:
    """Raise, before anything is made, if the map would need more memory than it may."""
    generate = effective.config.generate
    radius = generate.radius
    cells = prod(generate.size) if radius is None else 3 * radius * (radius + 1) + 1
    needed = cells * (BYTES_PER_CELL + BYTES_PER_WORD * tiles.rules.words)
    if needed > limit:
        raise ConfigError(
            f"a map of {cells:,} cells needs about {needed / 2**30:,.1f} GB, more than {flag}; "
            "make it smaller, or raise --memory"
        )
