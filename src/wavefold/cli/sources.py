"""What commands start from: the configuration, a tile set, a grid, pins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path, PurePath
from typing import Any

import wavefold as wf
from wavefold.config import Effective, load_config
from wavefold.config.effective import is_picture
from wavefold.errors import ConfigError, suggest
from wavefold.map_format import endings_with
from wavefold.tiles.learning.bundled_samples import samples

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
        if None not in (wishes.flags.get("generate.size"), wishes.flags.get("generate.radius")):
            raise ConfigError("--size and --radius both say how large the map is; give one of them")
        effective = load_config(wishes.config, flags={"generate.tileset": wishes.tileset, **wishes.flags})
        tiles = tiles_of(effective, wishes)
        if limit is not None:
            check_memory(effective, tiles, limit, wishes.memory or "")
        topology = effective.topology(tiles)
        pins = read_pins(wishes.pins, tiles)
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
    generate = effective.config.generate
    name = generate.tileset
    if wishes.n is not None and (name is None or not is_picture(name)):
        raise ConfigError("--n is for pictures to learn from; this is a tile set")
    if name is None or wishes.tileset is None:
        return effective.tiles(wishes.n)
    return load_tiles(name, wishes.n, generate.subset)


def load_tiles(name: str, n: int | None = None, subset: str | None = None) -> wf.TileSet:
    """A tile set by name or file; or one learned from a picture or a sample's name."""
    if subset is not None and PurePath(name).suffix.lower() != ".xml":
        raise ConfigError(f"--subset is for mxgmn's .xml files; {name!r} has no subsets")
    if is_picture(name):
        return wf.learn(name, n=n)
    if name not in wf.tilesets() and not PurePath(name).suffix:
        hint, endings = suggest(name, [*wf.tilesets(), *samples()]), ", ".join(endings_with("read_tiles"))
        stop = "" if hint.endswith("?") else "."
        raise ConfigError(f"there is no tile set and no sample {name!r}; {hint}{stop} Files end in {endings}")
    return wf.TileSet.load(name, **({} if subset is None else {"subset": subset}))


def with_ground(effective: Effective, tiles: wf.TileSet, topology: Any) -> dict[str, Any]:
    """The keywords of a problem; a set learned with a ground has it in the bottom row."""
    parts = effective.problem_parts(tiles, topology)
    ground = ground_of(tiles, topology)
    if ground is not None:
        parts["masks"] = ground & parts["masks"] if "masks" in parts else ground
    return parts


def ground_of(tiles: Any, topology: Any) -> Any:
    """bool [cell, pattern] that keeps a learned ground where it belongs; None if there is none."""
    if getattr(tiles, "ground_pattern", None) is None:
        return None
    return tiles.ground_masks(topology)


def read_pins(texts: Iterable[str], tiles: wf.TileSet) -> dict[tuple[int, ...], Any]:
    """What cells must be, each told once."""
    pins: dict[tuple[int, ...], Any] = {}
    for text in texts:
        place, name = read_pin(text)
        if place in pins:
            where = ",".join(map(str, place))
            raise ConfigError(f"--pin {text!r} is the second for the cell {where}; keep one of them")
        pins[place] = meant(name, tiles)
    return pins


def meant(name: str, tiles: wf.TileSet) -> Any:
    """What a word on the command line stands for: in learned sets a value, such as a colour."""
    rules = tiles.rules
    if rules.values is None or name in rules.patterns_by_name:
        return name
    from wavefold.formats.csv import value_text

    spelled = {spelling: value for value in rules.patterns_by_value for spelling in spellings(value)}
    found = spelled.get(name.replace(" ", "").lower(), spelled.get(name))
    if found is None:
        known = [value_text(value) for value in rules.patterns_by_value]
        raise ConfigError(f"--pin: there is no value {name!r} in the learned set; {suggest(name, known)}")
    return found


def spellings(value: Any) -> list[str]:
    """How a value may be written: colours as #2850c8 or 40,80,200, with or without their opacity."""
    if not isinstance(value, tuple):
        return [str(value)]
    ways = [value, value[:3]] if len(value) == 4 and value[3] == 255 else [value]
    if len(value) == 3:
        ways.append((*value, 255))
    is_colour = all(isinstance(each, int) and 0 <= each < 256 for each in value)
    found = [",".join(map(str, way)) for way in ways]
    return [*found, *(f"#{bytes(way).hex()}" for way in ways if is_colour)]


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
