"""Edits: the requested tiles, and the cells that changed, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, WorldError
from wavefold.options.values import parse_integer, require_integer
from wavefold.solver.problem import list_patterns
from wavefold.tiles import Rules

Cell: TypeAlias = tuple[int, int]  # (x, y) in the world
Wanted: TypeAlias = Mapping[Cell, str | tuple[str, ...]]  # the name of a tile, or names of patterns

MOST_WANTED = 1 << 16  # cells of one edit


class EditData(TypedDict):
    """An `Edit` as plain data, for JSON."""

    wanted: list[list[int | str | list[str]]]  # [x, y, tile]; or a list of patterns
    settled: list[list[int]]  # [x, y, pattern]
    reach: int


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of a world.

    wanted : {(x, y): tile} as requested; a tuple of patterns if no tile name stands for them
    settled : {(x, y): pattern} of all changed and all wanted cells
    reach : the largest distance of changed cells from the wanted ones
    """

    wanted: Wanted
    settled: Mapping[Cell, int]
    reach: int

    def chunks(self, side: int) -> tuple[tuple[int, int], ...]:
        """List the positions of the changed chunks, `side` cells across, for drawing them again."""
        return tuple(sorted({(x // side, y // side) for x, y in self.settled}))

    def to_dict(self) -> EditData:
        """Return plain data for JSON; `Edit.from_dict` reads it."""
        wanted = [(cell, name if isinstance(name, str) else [*name]) for cell, name in self.wanted.items()]
        return {
            "wanted": [[x, y, name] for (x, y), name in wanted],
            "settled": [[x, y, pattern] for (x, y), pattern in self.settled.items()],
            "reach": self.reach,
        }

    @classmethod
    def from_dict(cls, data: object) -> Edit:
        """Create an edit from the data of `to_dict`. Raises WorldError if the data is invalid."""
        given: Any = data
        try:
            wanted = {
                read_cell((x, y), "wanted"): name if isinstance(name, str) else tuple(map(str, name))
                for x, y, name in given["wanted"]
            }
            settled = {
                read_cell((x, y), "settled"): require_integer("pattern", pattern)
                for x, y, pattern in given["settled"]
            }
            return cls(wanted, settled, require_integer("reach", given["reach"]))
        except (KeyError, TypeError, ValueError, ConfigError) as error:
            raise WorldError(f"not an edit, as listed by world.edits: {data!r:.80}") from error


def read_wanted(rules: Rules, given: Any, what: str) -> Wanted:
    """Parse {(x, y): tile}; `what` is its name in messages, "edit" or "pins"."""
    if not isinstance(given, Mapping):
        raise ConfigError(f"{what} must be a dict {{(x, y): tile}}, not {given!r:.80}")
    if not 1 <= len(given) <= MOST_WANTED:
        raise ConfigError(f"{what} must have 1 to {MOST_WANTED:,} cells, not {len(given):,}")
    wanted: dict[Cell, str | tuple[str, ...]] = {}
    for cell, name in given.items():
        found = list_patterns(rules, name)
        if not found.size:
            raise ConfigError(f"{what}: the list of tiles for {cell!r} is empty")
        is_tile = isinstance(name, str) and rules.values is None and name not in rules.groups
        wanted[read_cell(cell, what)] = str(name) if is_tile else tuple(rules.names[each] for each in found)
    return wanted


def read_cell(given: Any, what: str) -> Cell:
    """Parse a cell (x, y); raises ConfigError unless it consists of two integers."""
    if isinstance(given, tuple) and len(given) == 2:
        x, y = parse_integer(given[0]), parse_integer(given[1])
        if x is not None and y is not None:
            return x, y
    raise ConfigError(f"{what}: a cell must be (x, y), two whole numbers, not {given!r}")


def list_wanted_patterns(rules: Rules, name: str | Sequence[str]) -> NDArray[np.int64]:
    """Return the patterns of an entry of a log. Raises WorldError for an unknown name."""
    if isinstance(name, str):
        return rules.patterns(name)
    by_name = {each: number for number, each in enumerate(rules.names)}
    missing = [each for each in name if each not in by_name]
    if missing:
        raise WorldError(f"the log of edits contains a pattern {missing[0]!r}, which these tiles do not have")
    return np.array([by_name[each] for each in name], np.int64)
