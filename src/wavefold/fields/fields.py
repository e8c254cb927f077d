"""Named fields, and weights and masks from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from numbers import Real
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.fields.expression import Expression, FieldValues, parse_number, read_axes
from wavefold.fields.positions import CellPositions
from wavefold.fields.sampled import LEVEL, CellPatternWeights, Limits, SampledFields, read_ranges
from wavefold.fields.sources import (
    BEYOND,
    ArraySource,
    FieldLike,
    Source,
    Values,
    make_read_only,
    make_source,
)
from wavefold.options.names import Beyond
from wavefold.tiles import Rules, TileSet, get_rules
from wavefold.topology import Topology
from wavefold.topology.base import set_frozen

if TYPE_CHECKING:
    from PIL.Image import Image


NOTHING: Mapping[str, Any] = MappingProxyType({})

Factor: TypeAlias = str | float | Expression | Callable[..., object]  # on the weight of a tile


@dataclass(frozen=True, init=False, repr=False)
class Fields:
    """Named fields: values for every cell, from noise, arrays, pictures or functions.

    >>> Fields(altitude=Noise(0.02, octaves=4, seed=7), slope=lambda x, y: x / 64).names
    ('altitude', 'slope')

    - `Noise`, and expressions of noise, have values everywhere.
    - An array is [row, column] in the shape of the grid ([layer, row, column] for cubes), or [cell].
    - A function f(x, y), for cubes f(x, y, z), is called with whole arrays, or, if that fails, with the
      numbers of each cell. For graphs it is called with each cell.
    - A picture (a path or a Pillow image) has values from 0, black, to 1, white, and is stretched over the
      whole map.

    On squares and cubes, x and y are the column and row of a cell; on hexagons they are the middle of the
    cell, with neighbours 1 apart. Arrays and pictures are read immediately.

    Tiles can have limits of their own (`Tile.limits`). `with_limits` adds limits for tiles; `with_factors`
    makes their frequency depend on fields.
    """

    sources: Mapping[str, Source]
    limits: Mapping[str, Limits]  # {tile: {field: (lowest, highest)}}
    factors: Mapping[str, Factor]  # {tile: factor on its weight}

    def __init__(self, /, **sources: FieldLike | Source) -> None:
        read = {name: make_source(name, given) for name, given in sources.items()}
        set_frozen(self, sources=MappingProxyType(read), limits=NOTHING, factors=NOTHING)

    def with_limits(self, limits: Mapping[str, Limits]) -> Fields:
        """Return the same fields with more limits of tiles, as in `masks`.

        They hold in every `Problem` and `World` with these fields, in addition to `Tile.limits`.
        """
        read: dict[str, Any] = {}
        for tile, given in read_mapping("limits", limits).items():
            ranges = read_ranges(given, [*self.sources, LEVEL], tile)
            read[tile] = ranges[0] if isinstance(given, Mapping) else ranges
        return self._with(limits=MappingProxyType({**self.limits, **read}))

    def with_factors(self, factors: Mapping[str, Factor]) -> Fields:
        """Return the same fields with factors on the weights of tiles, {tile: factor}.

        A factor is the name of a field, noise, a number, or a function of the fields. Factors apply in every
        `Problem` and `World` with these fields. With 0, the tile is used only if nothing else fits.
        """
        read = {tile: self._factor(tile, given) for tile, given in read_mapping("factors", factors).items()}
        return self._with(factors=MappingProxyType({**self.factors, **read}))

    def beyond(self, **ways: Beyond) -> Fields:
        """Return the same fields with arrays and pictures continued outside of their bounds, for worlds.

        "edge" continues with the nearest value, "repeat" repeats the array, "mirror" alternates it with its
        mirror image.
        """
        sources = dict(self.sources)
        for name, way in ways.items():
            source, field = self._source(name), describe_field(name)
            if not isinstance(source, ArraySource):
                raise ConfigError(f"beyond: {field} is {source!r}, which already has values everywhere")
            if way not in BEYOND:
                raise ConfigError(f"beyond: unknown way {way!r} for {field}; {suggest(way, BEYOND)}")
            sources[name] = type(source)(source.array, way)
        return self._with(sources=MappingProxyType(sources))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields, in the order given."""
        return tuple(self.sources)

    @property
    def digest(self) -> str:
        """A digest, the same on every machine for equal fields. Raises ConfigError for functions."""
        digest = blake2b(digest_size=16)
        for name in sorted(self.sources):
            digest.update(f"{name!r} {self.sources[name].digest(describe_field(name))} ".encode())
        for tile in sorted(self.limits):
            given = self.limits[tile]
            listed = [sorted(each.items()) for each in ([given] if isinstance(given, Mapping) else given)]
            digest.update(f"limits {tile!r} {listed} ".encode())
        for tile in sorted(self.factors):
            factor = self.factors[tile]
            if callable(factor):
                raise ConfigError(
                    f"the factor for {tile!r} is a function, which has no digest; "
                    "define a field and use its name"
                )
            digest.update(f"factor {tile!r} {factor!r} ".encode())
        return digest.hexdigest()

    def at(self, topology: Topology, origin: tuple[int, ...] | None = None) -> dict[str, FieldValues]:
        """{name: float64 [cell]}: the values of all fields at all cells, read-only.

        With `origin`, the topology is a part of a world, with its cell (0, 0) at this position. Arrays and
        pictures then have one value per cell of the world, starting at (0, 0), and none outside; see
        `beyond`.
        """
        return self.sampled(topology, origin).values

    def sampled(self, topology: Topology, origin: tuple[int, ...] | None = None) -> SampledFields:
        """The values of all fields at all cells, for weights and masks."""
        places = CellPositions(topology, origin)
        return SampledFields(self, places, self._values(places))

    def sample(self, name: str, x: ArrayLike, y: ArrayLike, z: ArrayLike | None = None) -> FieldValues:
        """The values of a field at any places, in the broadcast shape of the arguments.

        Arrays and pictures have the value of the nearest cell. Outside of them, ConfigError is raised unless
        they are continued; see `beyond`.
        """
        axes = read_axes(x, y) if z is None else read_axes(x, y, z)
        flat = tuple(axis.ravel() for axis in axes)
        return self._source(name).sample(flat, describe_field(name)).reshape(axes[0].shape)

    def image(self, topology: Topology, name: str) -> Image:
        """A picture of a field with one pixel per cell, from black (lowest) to white (highest).

        Hexagons are laid out as in `topology.shape`; layers of cubes are stacked downwards.
        """
        from PIL import Image

        values = self._source(name).at(CellPositions(topology), describe_field(name))
        low, high = values.min(), values.max()
        grey = (values - low) / (high - low) * 255 if low < high else np.zeros_like(values)
        pixels = topology.to_array(np.floor(grey + 0.5).astype(np.uint8), missing=0)
        return Image.fromarray(np.ascontiguousarray(pixels.reshape(-1, pixels.shape[-1])))

    def weights(
        self,
        tiles: TileSet | Rules,
        topology: Topology,
        factors: Mapping[str, Factor | ArrayLike] | None = None,
        origin: tuple[int, ...] | None = None,
    ) -> CellPatternWeights:
        """float64 [cell, pattern] for `Problem(weights=...)`: the weights of the tiles times factors.

        `factors` is {tile: factor}. A tile is named as in pins. A factor is the name of a field, noise, a
        number, an array [cell], or a function of the fields: `lambda f: f["wet"] * (1 - f["altitude"])`.
        Factors on a tile and on one of its patterns are multiplied. With 0, the tile is used only if nothing
        else fits.
        """
        rules, given = get_rules(tiles), read_mapping("factors", factors or {})
        return self.sampled(topology, origin).weights(rules, given)

    def masks(
        self,
        tiles: TileSet | Rules,
        topology: Topology,
        limits: Mapping[str, Limits] | None = None,
        allowed_at: Callable[..., object] | None = None,
        origin: tuple[int, ...] | None = None,
    ) -> NDArray[np.bool_]:
        """bool [cell, pattern] for `Problem(masks=...)`: True where a pattern may stand.

        `limits` is {tile: {field: (lowest, highest)}}, both included; a tile is named as in pins.
        `allowed_at(pattern, fields)` is called with each `Pattern` of a tile set (for bare rules, its name)
        and the fields by name. It is called with whole arrays, or, if that fails, for each cell.
        `Tile.limits` and `TileSet.allowed_at` always hold.
        """
        get_rules(tiles)
        given = read_mapping("limits", limits or {})
        return self.sampled(topology, origin).masks(tiles, given, allowed_at)

    def _factor(self, tile: str, given: Any) -> Any:
        """Check a factor."""
        if isinstance(given, str):
            self._source(given)
        elif isinstance(given, Real) and not isinstance(given, bool):
            return parse_number(f"the factor for {tile!r}", given)
        elif not isinstance(given, Expression) and not callable(given):
            raise ConfigError(
                f"the factor for {tile!r} must be the name of a field, noise, a number or a function of the "
                f"fields, not {given!r:.60}; define a field for an array"
            )
        return given

    def _with(self, **changes: Any) -> Fields:
        fields = Fields(**self.sources)
        set_frozen(fields, **({"limits": self.limits, "factors": self.factors} | changes))
        return fields

    def _values(self, places: CellPositions) -> Values:
        values = Values()
        for name, source in self.sources.items():
            values[name] = make_read_only(source.at(places, describe_field(name)))
        return values

    def _source(self, name: str) -> Source:
        if name not in self.sources:
            raise ConfigError(f"there is no field {name!r}; {suggest(name, self.sources)}")
        return self.sources[name]

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuild_fields, (dict(self.sources), dict(self.limits), dict(self.factors))

    def __hash__(self) -> int:
        return hash((frozenset(self.sources.items()), frozenset(self.limits), frozenset(self.factors)))

    def __repr__(self) -> str:
        made = f"Fields({', '.join(f'{name}={source!r}' for name, source in self.sources.items())})"
        limits = f".with_limits({dict(self.limits)!r})" if self.limits else ""
        factors = f".with_factors({dict(self.factors)!r})" if self.factors else ""
        return made + limits + factors


def rebuild_fields(sources: dict[str, Source], limits: dict[str, Limits], factors: dict[str, Any]) -> Fields:
    """Rebuild fields for pickle."""
    return Fields(**sources).with_limits(limits).with_factors(factors)


def read_mapping(name: str, given: Any) -> Mapping[Any, Any]:
    """Return a dict {tile: …}. Raises ConfigError for other values."""
    if not isinstance(given, Mapping):
        raise ConfigError(f"{name} must be a dict {{tile: …}}, not {given!r}")
    return given


def describe_field(name: str) -> str:
    """The description of a field in messages."""
    return f"field {name!r}"
