"""Edits: the requested tiles at a few cells, and the cells that changed for them. Plain data."""

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
Wanted: TypeAlias = Mapping[Cell, str | tuple[str, ...]]  # a tile by its name; or patterns by theirs

MOST_WANTED = 1 << 16  # cells of one edit


class EditData(TypedDict):
    """An `Edit` as plain data, for JSON."""

    wanted: list[list[int | str | list[str]]]  # [x, y, tile]; or a list of patterns
    settled: list[list[int]]  # [x, y, pattern]
    reach: int


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a world. Applied to the world before it, it gives the world after it.

    wanted : {(x, y): tile} as requested; a tuple of patterns if there is no tile name for them
    settled : {(x, y): pattern} of every changed and every wanted cell
    reach : how far from the wanted cells others could change, in cells
    """

    wanted: Wanted
    settled: Mapping[Cell, int]
    reach: int

    def chunks(self, side: int) -> tuple[tuple[int, int], ...]:
        """Positions of the chunks, `side` cells across, that changed: those to draw again."""
        return tuple(sorted({(x // side, y // side) for x, y in self.settled}))

    def to_dict(self) -> EditData:
        """Plain data, for JSON; `Edit.from_dict` reads it."""
        wanted = [(cell, name if isinstance(name, str) else [*name]) for cell, name in self.wanted.items()]
        return {
            "wanted": [[x, y, name] for (x, y), name in wanted],
            "settled": [[x, y, pattern] for (x, y), pattern in self.settled.items()],
            "reach": self.reach,
        }

    @classmethod
    def from_dict(cls, data: object) -> Edit:
        """Inverse of `to_dict`. Raises WorldError if the data is not an edit."""
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
            raise WorldError(
                f"not an entry of a log of edits, as world.edits lists them: {data!r:.80}"
            ) from error


def read_wanted(rules: Rules, given: Any, what: str) -> Wanted:
    """{(x, y): tile} as users write it, validated. `what` is its name in messages: edit or pins."""
    if not isinstance(given, Mapping):
        raise ConfigError(f"{what} must be a dict {{(x, y): tile}}, not {given!r:.80}")
    if not 1 <= len(given) <= MOST_WANTED:
        raise ConfigError(f"{what} must have 1 to {MOST_WANTED:,} cells, not {len(given):,}")
    wanted: dict[Cell, str | tuple[str, ...]] = {}
    for cell, name in given.items():
        found = list_patterns(rules, name)
        if not found.size:
            raise ConfigError(f"{what}: the list of tiles for {cell!r} is empty; name at least one")
        is_tile = isinstance(name, str) and rules.values is None and name not in rules.groups
        wanted[read_cell(cell, what)] = str(name) if is_tile else tuple(rules.names[each] for each in found)
    return wanted


def read_cell(given: Any, what: str) -> Cell:
    """A cell (x, y) of whole numbers. Raises ConfigError for anything else."""
    if isinstance(given, tuple) and len(given) == 2:
        x, y = parse_integer(given[0]), parse_integer(given[1])
        if x is not None and y is not None:
            return x, y
    raise ConfigError(f"{what}: a cell is written (x, y), two whole numbers, not {given!r}")


def patterns_wanted(rules: Rules, name: str | Sequence[str]) -> NDArray[np.int64]:
    """The patterns that an entry of a log names. Raises WorldError for a name the tiles do not have."""
    if isinstance(name, str):
        return rules.patterns(name)
    by_name = {each: number for number, each in enumerate(rules.names)}
    missing = [each for each in name if each not in by_name]
    if missing:
        raise WorldError(f"the log of edits names a pattern {missing[0]!r}, which these tiles do not have")
    return np.array([by_name[each] for each in name], np.int64)
