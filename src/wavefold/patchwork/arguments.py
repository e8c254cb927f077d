"""Parse arguments of a patchwork: cells and keys, retries, presets, fields by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any

import numpy as np

from wavefold.errors import ConfigError, TileSetError, suggest
from wavefold.fields import Fields
from wavefold.fields.presets import preset
from wavefold.kernels.host.seeding import mix
from wavefold.options.groups import MOST_RETRIES
from wavefold.options.option import Option, check_options, option_group
from wavefold.options.values import parse_integer
from wavefold.patchwork.plan import Cell, GridPlan
from wavefold.tiles import TileSet

GRASS, WATER = "grass@0", "water@0"  # not rotated, on the lowest level


@option_group("retries")
@dataclass(frozen=True, slots=True)
class Retries:
    """The number of seeds to try in each phase of a join.

    attempts : for a grid, before the ring is widened or cells are replaced
    replace : for each disk that is solved again around a conflict (`fixed` only); `rebuild` tries twice as
        many
    drop : for the grid after each dropped cell (`fixed` only)
    """

    attempts: Annotated[
        int, Option("for a grid, before neighbours are changed", low=1, high=MOST_RETRIES)
    ] = 3
    replace: Annotated[int, Option("for each disk around a conflict", low=1, high=MOST_RETRIES)] = 5
    drop: Annotated[int, Option("after each cell that is dropped", low=1, high=MOST_RETRIES)] = 2

    def __post_init__(self) -> None:
        check_options(self, "retries: ")

    @classmethod
    def of(cls, given: int | Mapping[str, int] | Retries | None) -> Retries:
        """Return the retries for a number for all phases, a dict such as {"replace": 3}, or `Retries`."""
        if given is None:
            return cls()
        if isinstance(given, cls):
            return given
        if isinstance(given, Mapping):
            names = [each.name for each in fields(cls)]
            for name in given:
                if name not in names:
                    raise ConfigError(f"unknown phase {name!r} in retries; {suggest(name, names)}")
            return cls(**given)
        return cls(given, given, given)  # type: ignore[arg-type] # checked there


def parse_pair(what: str, given: Any) -> tuple[int, int]:
    """Parse a pair of integers."""
    is_listed = isinstance(given, tuple | list) or (isinstance(given, np.ndarray) and given.ndim == 1)
    numbers = [parse_integer(each) for each in given] if is_listed else []
    match numbers:
        case [int(x), int(y)]:
            return x, y
    raise ConfigError(f"{what} must be (x, y), two whole numbers, not {given!r}")


def parse_presets(presets: Any, tiles: TileSet, plan: GridPlan, seed: int) -> dict[Cell, Any]:
    """Parse the argument `presets` to {cell: tile}."""
    if presets is False or presets is None:
        return {}
    if presets is True:
        return choose_medieval_pins(tiles, plan, seed)
    if not isinstance(presets, Mapping):
        raise ConfigError(f"presets must be True, False or a dict {{cell: tile}}, not {presets!r}")
    return {parse_pair("presets: a cell", cell): tile for cell, tile in presets.items()}


def choose_medieval_pins(tiles: TileSet, plan: GridPlan, seed: int) -> dict[Cell, Any]:
    """Pin grass in the centre, and water at one edge of the first grid and in the grids beyond it."""
    names = tiles.rules.patterns_by_name
    if plan.lattice.turning_sides != 6 or GRASS not in names or WATER not in names:
        raise TileSetError(
            "grass beside water needs hexagons with the tiles 'grass' and 'water', such as the medieval set",
            advice="use presets={(q, r): tile} instead of presets=True",
            flag_advice="",
        )
    side = mix(seed, 0) % 6
    turns = [plan.moves[(side + turn) % 6] for turn in range(6)]  # clockwise from this side
    (q, r), (next_q, next_r) = turns[0], turns[1]
    half = plan.radius // 2
    far = plan.radius - half
    pins: dict[Cell, Any] = {(0, 0): GRASS, (q * far + next_q * half, r * far + next_r * half): WATER}
    beyond = [(0, 0), (q, r), (q + turns[4][0], r + turns[4][1]), (q + turns[2][0], r + turns[2][1])]
    for across, down in beyond:  # the grid on this side, the one behind it, and the two beside that one
        pins[plan.centre(plan.to_key(q + across, r + down))] = WATER
    return pins


def has_limits(tiles: TileSet) -> bool:
    """Return whether fields affect where these tiles may be."""
    return tiles.allowed_at is not None or any(tile.limits for tile in tiles.tiles)


def build_fields(tiles: TileSet, name: str | None, seed: int) -> Fields | None:
    """Build the fields of a preset, which depend on the seed; None without a name.

    Raises `ConfigError` if no tile has limits, because the fields would have no effect.
    """
    if name is None:
        return None
    made = Fields(**preset(name, seed))
    if not has_limits(tiles):
        raise ConfigError(
            f"the fields of the preset {name!r} have no effect, because no tile has limits; add limits, such "
            'as Tile(..., limits={"altitude": (0.2, 0.5)}), also in the tile set file'
        )
    return made
