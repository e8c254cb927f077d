"""Presets of fields by name."""

from __future__ import annotations

from wavefold.errors import ConfigError
from wavefold.fields import Fields
from wavefold.fields.presets import preset
from wavefold.tiles import TileSet

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
