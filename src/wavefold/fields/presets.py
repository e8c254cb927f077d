"""Presets of fields: noise combined to terrain, for squares and for hexagons."""

from __future__ import annotations

from collections.abc import Callable

from wavefold.errors import ConfigError, suggest
from wavefold.fields.expression import Expression
from wavefold.fields.noise import Noise
from wavefold.options.names import FieldPreset
from wavefold.options.values import parse_seed

FAR_OFFSET = (1000.0, 1000.0)  # in cells; noise there is independent of noise around the origin


def preset(name: FieldPreset | str, seed: int = 0) -> dict[str, Expression]:
    """The fields of a preset, for `Fields(**preset("terrain"))`."""
    if name not in PRESETS:
        raise ConfigError(f"unknown preset {name!r}; {suggest(name, PRESETS)}")
    return PRESETS[name](parse_seed(seed))


def make_terrain(seed: int) -> dict[str, Expression]:
    """`altitude` from 0 to 1: continents, mountains and detail; about half of the cells are at 0."""
    continent, mountain, detail = (
        Noise(scale, seed=3 * seed + layer) for layer, scale in enumerate((0.0045, 0.02, 0.1), start=1)
    )
    return {"altitude": (0.75 * continent + 0.35 * mountain + 0.25 * detail).clamp(0, 1)}


def make_hex_terrain(seed: int) -> dict[str, Expression]:
    """`water` and `elevation` from -1 to 1, for hexagons with levels."""
    return {"water": Noise(0.02, seed=seed), "elevation": Noise(0.03, seed=seed, offset=FAR_OFFSET)}


PRESETS: dict[str, Callable[[int], dict[str, Expression]]] = {
    "hex": make_hex_terrain,
    "terrain": make_terrain,
}
