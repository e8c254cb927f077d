"""Fields that many maps begin with, by name."""

from __future__ import annotations

from collections.abc import Callable

from wavefold.errors import ConfigError, suggest
from wavefold.fields.expression import Expression
from wavefold.fields.noise import Noise

FAR = (1000.0, 1000.0)  # cells: where noise has nothing in common with that around the origin


def preset(name: str, seed: int = 0) -> dict[str, Expression]:
    """The fields of this name, for `Fields(**preset("terrain"))`; another seed gives another land."""
    if name not in PRESETS:
        raise ConfigError(f"unknown preset {name!r}; {suggest(name, PRESETS)}")
    return PRESETS[name](seed)


def terrain(seed: int) -> dict[str, Expression]:
    """`altitude` from 0 to 1: continents, mountains on them, and detail; about half of it is sea, at 0."""
    continent, mountain, detail = (
        Noise(scale, seed=3 * seed + layer) for layer, scale in enumerate((0.0045, 0.02, 0.1), start=1)
    )
    return {"altitude": (0.75 * continent + 0.35 * mountain + 0.25 * detail).clamp(0, 1)}


def hexes(seed: int) -> dict[str, Expression]:
    """`water` and `elevation` from -1 to 1, for hexagons with levels."""
    return {"water": Noise(0.02, seed=seed), "elevation": Noise(0.03, seed=seed, offset=FAR)}


PRESETS: dict[str, Callable[[int], dict[str, Expression]]] = {"hex": hexes, "terrain": terrain}
