"""Arguments of a patchwork as users write them: joins, cells and presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wavefold.common.seeding import mix
from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError, TileSetError
from wavefold.fields import Fields
from wavefold.fields.presets import preset
from wavefold.patchwork.joins import Join, Whole
from wavefold.patchwork.plan import Cell, GridPlan, to_grid_key
from wavefold.plugins import find
from wavefold.tiles import TileSet

HALF = 1 << 63
GRASS, WATER = "grass@0", "water@0"  # as drawn: not turned, on the lowest level


def resolve_join(join: Any, grow: Any = "overlap") -> Join:
    """A join from its name, or as it is. `grow`, for "whole", is checked in any case."""
    growing = grow if isinstance(grow, Join) or grow == "overlap" else resolve_join(grow)
    if isinstance(join, Join):
        if not isinstance(getattr(join, "name", None), str):
            raise ConfigError(
                f'the join {type(join).__name__} has no name: give its class one, name = "mine"'
            )
        return join
    if not isinstance(join, str):
        raise ConfigError(f"join must be a name, as 'overlap', or a Join, not {join!r}")
    kind = find("join", join)
    made = kind(grow=resolve_join(growing)) if join == "whole" else kind()
    if not isinstance(made, Join):
        raise ConfigError(f"the plugin {join!r} is not a Join: {made!r}")
    return made


def find_growth_join(join: Join) -> Join:
    """The join that makes further grids of a map: that of one made whole is another."""
    while isinstance(join, Whole):
        join = join.grow
    return join


def to_signed_seed(seed: int) -> int:
    """64 bits as a signed number, which `fold_seed` leaves as it is."""
    return (seed + HALF) % (2 * HALF) - HALF


def parse_pair(what: str, given: Any) -> tuple[int, int]:
    """Two whole numbers, or an error that says what they should be."""
    is_listed = isinstance(given, tuple | list) or (isinstance(given, np.ndarray) and given.ndim == 1)
    numbers = [parse_integer(each) for each in given] if is_listed else []
    match numbers:
        case [int(x), int(y)]:
            return x, y
    raise ConfigError(f"{what} is written (x, y), both whole numbers; got {given!r}")


def read_presets(presets: Any, tiles: TileSet, plan: GridPlan, seed: int) -> dict[Cell, Any]:
    """{cell: tile} from the argument `presets`."""
    if presets is False or presets is None:
        return {}
    if presets is True:
        return medieval_pins(tiles, plan, seed)
    if not isinstance(presets, Mapping):
        raise ConfigError(f"presets must be True, False or a dict {{cell: tile}}, not {presets!r}")
    return {parse_pair("presets: a cell", cell): tile for cell, tile in presets.items()}


def medieval_pins(tiles: TileSet, plan: GridPlan, seed: int) -> dict[Cell, Any]:
    """A grass centre, and water on one side: at that edge of the first grid, and in grids beyond it."""
    names = tiles.rules.patterns_by_name
    if plan.kind != "hex" or GRASS not in names or WATER not in names:
        raise TileSetError(
            "presets=True needs hexagons with the tiles 'grass' and 'water', as in the medieval set; "
            "give presets={(q, r): tile} instead"
        )
    side = mix(seed, 0) % 6
    turns = [plan.moves[(side + turn) % 6] for turn in range(6)]  # this side, and on clockwise
    (q, r), (next_q, next_r) = turns[0], turns[1]
    half = plan.radius // 2
    far = plan.radius - half
    pins: dict[Cell, Any] = {(0, 0): GRASS, (q * far + next_q * half, r * far + next_r * half): WATER}
    beyond = [(0, 0), (q, r), (q + turns[4][0], r + turns[4][1]), (q + turns[2][0], r + turns[2][1])]
    for across, down in beyond:  # a grid on this side, the one behind it, and the two beside that one
        pins[plan.centre(to_grid_key(q + across, r + down))] = WATER
    return pins


USUAL = {"hex": "hex", "square": "terrain"}  # the preset that suits tiles of a kind


def fields_for(tiles: TileSet, name: str | None, seed: int) -> Fields | None:
    """The fields of the preset of this name, different for each seed; None if there is no name.

    Raises `ConfigError` if no tile has limits: the fields would have no effect.
    """
    if name is None:
        return None
    fields = Fields(**preset(name, seed))
    if tiles.allowed_at is None and not any(tile.limits for tile in tiles.tiles):
        raise ConfigError(
            f"the fields of the preset {name!r} have no effect: no tile has limits; add "
            'some, as Tile(..., limits={"altitude": (0.2, 0.5)}), or in the tile set file'
        )
    return fields
