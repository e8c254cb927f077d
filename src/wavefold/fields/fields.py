"""Named values at every cell, and what problems make of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, TileSetError, suggest
from wavefold.fields.calling import Values
from wavefold.fields.expression import Expression, Numbers, read_axes
from wavefold.fields.inputs import Limits, masks_from, weight_factor, within
from wavefold.fields.places import Places
from wavefold.fields.sources import Formula, Source, frozen, source_of
from wavefold.tiles import Rules, TileSet
from wavefold.topology import Topology
from wavefold.topology.base import settle

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Fields"]


@dataclass(frozen=True, init=False, repr=False)
class Fields:
    """Named values at every cell, each from noise, an array, a picture or a function.

    >>> Fields(altitude=Noise(0.02, octaves=4, seed=7), slope=lambda x, y: x / 64).names
    ('altitude', 'slope')

    - `Noise`, and sums and products of it, has values everywhere.
    - An array is [row, column] in the shape of the grid ([layer, row, column] for cubes), or [cell].
    - A function f(x, y), or f(x, y, z) on cubes, is given whole arrays; if it cannot take them, the numbers
      of one cell after the other. On graphs it is given the cell.
    - A picture (a path or a Pillow image) has values from 0, black, to 1, white, and is stretched over the
      whole map.

    On squares and cubes x and y are a cell's column and row, on hexagons the middle of the cell, where
    neighbours lie 1 apart. Arrays and pictures are read once, here.
    """

    sources: Mapping[str, Source]

    def __init__(self, /, **sources: Any) -> None:
        read = {name: source_of(name, given) for name, given in sources.items()}
        settle(self, sources=MappingProxyType(read))

    @property
    def names(self) -> tuple[str, ...]:
        """The fields, in the order given."""
        return tuple(self.sources)

    @property
    def digest(self) -> str:
        """A name for the content: equal fields have equal digests on every machine. Functions have none."""
        digest = blake2b(digest_size=16)
        for name in sorted(self.sources):
            digest.update(f"{name!r} {self.sources[name].digest(called(name))} ".encode())
        return digest.hexdigest()

    def at(self, topology: Topology, origin: tuple[int, ...] | None = None) -> dict[str, Numbers]:
        """{name: float64 [cell]}, read-only: every field at every cell.

        With `origin` the topology is a part of a world, and its cell (0, 0) lies there. Then an array or a
        picture has one value for each cell of the world from (0, 0) on, and none outside.
        """
        return self._values(Places(topology, origin))

    def sample(self, name: str, x: ArrayLike, y: ArrayLike, z: ArrayLike | None = None) -> Numbers:
        """One field at any places, in the shape of the arrays given; whole numbers are squares (or cubes).

        An array or a picture answers with the cell nearest to the place, and is an error outside.
        """
        axes = read_axes(x, y) if z is None else read_axes(x, y, z)
        flat = tuple(axis.ravel() for axis in axes)
        return self._source(name).sample(flat, called(name)).reshape(axes[0].shape)

    def image(self, topology: Topology, name: str) -> Image:
        """One field to look at, a pixel per cell: black where it is lowest, white where it is highest.

        Hexagons are laid out as in `topology.shape`; the layers of a cube stand below each other.
        """
        from PIL import Image

        values = self._source(name).at(Places(topology), called(name))
        low, high = values.min(), values.max()
        grey = (values - low) / (high - low) * 255 if low < high else np.zeros_like(values)
        pixels = topology.to_array(np.floor(grey + 0.5).astype(np.uint8), missing=0)
        return Image.fromarray(np.ascontiguousarray(pixels.reshape(-1, pixels.shape[-1])))

    def weights(
        self,
        tiles: TileSet | Rules,
        topology: Topology,
        factors: Mapping[Any, Any],
        origin: tuple[int, ...] | None = None,
    ) -> Numbers:
        """float64 [cell, pattern] for `Problem(weights=...)`: each tile's own weight times a factor per cell.

        `factors` are {tile: factor}; a tile is named as in pins, a factor is the name of a field, noise, a
        number, an array [cell], or a function of the fields: `lambda f: f["wet"] * (1 - f["altitude"])`.
        Factors for a tile and for one of its patterns are multiplied. 0 means: only if nothing else fits.
        """
        rules, places = rules_of(tiles), Places(topology, origin)
        values = self._values(places)
        weights = np.tile(rules.weights, (places.count, 1))
        for tile, factor in read_mapping("factors", factors).items():
            given = factor
            if isinstance(factor, str):
                given = values[factor]
            elif isinstance(factor, Expression):
                given = Formula(factor).at(places, f"the factor for {tile!r}")
            share = weight_factor(given, values, places.count, places.describe, tile)
            weights[:, rules.patterns(tile)] *= share[:, None]
        return weights

    def masks(
        self,
        tiles: TileSet | Rules,
        topology: Topology,
        limits: Mapping[Any, Limits] | None = None,
        allowed_at: Callable[..., Any] | None = None,
        origin: tuple[int, ...] | None = None,
    ) -> NDArray[np.bool_]:
        """bool [cell, pattern] for `Problem(masks=...)`: True where a pattern may stand.

        What the tiles say of themselves (`Tile.limits`, `TileSet.allowed_at`) holds in any case. `limits`
        are {tile: {field: (lowest, highest)}}, both included; a tile is named as in pins.
        `allowed_at(pattern, fields)` gets each `Pattern` of a tile set (of bare rules its name) and the
        fields by name, and answers True or False: for all cells at once or, if it cannot take arrays, for
        one cell after the other.
        """
        rules, places = rules_of(tiles), Places(topology, origin)
        values, described = self._values(places), (places.count, places.describe)
        patterns: Sequence[Any] = tiles.patterns if isinstance(tiles, TileSet) else rules.names
        own: list[Limits] = [{}] * len(rules)
        masks: NDArray[np.bool_] = np.ones((places.count, len(rules)), np.bool_)
        if isinstance(tiles, TileSet):
            own = [pattern.tile.limits for pattern in tiles.patterns]
            if tiles.allowed_at is not None:
                masks &= masks_from(values, patterns, rules.names, own, tiles.allowed_at, *described)
        masks &= masks_from(values, patterns, rules.names, own, allowed_at, *described)
        for tile, each in read_mapping("limits", limits or {}).items():
            masks[:, rules.patterns(tile)] &= within(each, values, places.count, tile)[:, None]
        return masks

    def _values(self, places: Places) -> Values:
        values = Values()
        for name, source in self.sources.items():
            values[name] = frozen(source.at(places, called(name)))
        return values

    def _source(self, name: str) -> Source:
        if name not in self.sources:
            raise ConfigError(f"there is no field {name!r}; {suggest(name, self.sources)}")
        return self.sources[name]

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Fields, **self.sources), ()

    def __hash__(self) -> int:
        return hash(frozenset(self.sources.items()))

    def __repr__(self) -> str:
        return f"Fields({', '.join(f'{name}={source!r}' for name, source in self.sources.items())})"


def called(name: str) -> str:
    """A field in messages."""
    return f"field {name!r}"


def rules_of(tiles: TileSet | Rules) -> Rules:
    """The patterns of whatever a problem takes."""
    if not isinstance(tiles, TileSet | Rules):
        raise TileSetError(f"tiles must be a TileSet, as from TileSet.load('pipes'), not {tiles!r}")
    return tiles.rules if isinstance(tiles, TileSet) else tiles


def read_mapping(name: str, given: Any) -> Mapping[Any, Any]:
    """What users write as {tile: …}."""
    if not isinstance(given, Mapping):
        raise ConfigError(f"{name} must be a dict {{tile: …}}, not {given!r}")
    return given
