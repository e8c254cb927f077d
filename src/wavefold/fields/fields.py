"""Named values at every cell, and the weights and masks made of them."""

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
from wavefold.fields.expression import Expression, Numbers, parse_number, read_axes
from wavefold.fields.positions import CellPositions
from wavefold.fields.sampled import LEVEL, Limits, SampledFields, read_ranges
from wavefold.fields.sources import BEYOND, ArraySource, FieldLike, Source, Values, freeze, make_source
from wavefold.options.names import Beyond
from wavefold.tiles import Rules, TileSet, get_rules
from wavefold.topology import Topology
from wavefold.topology.base import set_frozen

if TYPE_CHECKING:
    from PIL.Image import Image


NOTHING: Mapping[str, Any] = MappingProxyType({})

Factor: TypeAlias = str | float | Expression | Callable[..., object]  # of the weight of a tile


@dataclass(frozen=True, init=False, repr=False)
class Fields:
    """Named values at every cell, each from noise, an array, a picture or a function.

    >>> Fields(altitude=Noise(0.02, octaves=4, seed=7), slope=lambda x, y: x / 64).names
    ('altitude', 'slope')

    - `Noise`, and sums and products of it, has values everywhere.
    - An array is [row, column] in the shape of the grid ([layer, row, column] for cubes), or [cell].
    - A function f(x, y), or f(x, y, z) on cubes, gets whole arrays; if it cannot take them, the numbers of
      one cell after the other. On graphs it gets the cell.
    - A picture (a path or a Pillow image) has values from 0, black, to 1, white, and is stretched over the
      whole map.

    On squares and cubes x and y are a cell's column and row, on hexagons the middle of the cell, where
    neighbours lie 1 apart. Arrays and pictures are read once, here.

    Tiles can have limits of their own (`Tile.limits`). `with_limits` forbids tiles at places, `with_factors`
    makes them likely here and rare there.
    """

    sources: Mapping[str, Source]
    limits: Mapping[str, Limits]  # {tile: {field: (lowest, highest)}}
    factors: Mapping[str, Factor]  # {tile: what its weight is multiplied by}

    def __init__(self, /, **sources: FieldLike | Source) -> None:
        read = {name: make_source(name, given) for name, given in sources.items()}
        set_frozen(self, sources=MappingProxyType(read), limits=NOTHING, factors=NOTHING)

    def with_limits(self, limits: Mapping[str, Limits]) -> Fields:
        """The same fields, where tiles may stand only between limits, as in `masks`.

        They hold in every `Problem` and `World` with these fields, in addition to `Tile.limits`.
        """
        read: dict[str, Any] = {}
        for tile, given in read_mapping("limits", limits).items():
            ranges = read_ranges(given, [*self.sources, LEVEL], tile)
            read[tile] = ranges[0] if isinstance(given, Mapping) else ranges
        return self._with(limits=MappingProxyType({**self.limits, **read}))

    def with_factors(self, factors: Mapping[str, Factor]) -> Fields:
        """The same fields, where the weights of tiles are multiplied by factors.

        {tile: factor}: the name of a field, noise, a number, or a function of the fields. They apply in every
        `Problem` and `World` with these fields. 0 means: only if nothing else fits.
        """
        read = {tile: self._factor(tile, given) for tile, given in read_mapping("factors", factors).items()}
        return self._with(factors=MappingProxyType({**self.factors, **read}))

    def beyond(self, **ways: Beyond) -> Fields:
        """The same fields, with arrays and pictures continued outside, for worlds: {name: way}.

        "edge" continues with the nearest value, "repeat" starts over, "mirror" goes back and forth.
        """
        sources = dict(self.sources)
        for name, way in ways.items():
            source, field = self._source(name), describe_field(name)
            if not isinstance(source, ArraySource):
                raise ConfigError(f"beyond: {field} is {source!r}, which has values everywhere")
            if way not in BEYOND:
                raise ConfigError(f"beyond: unknown way {way!r} for {field}; {suggest(way, BEYOND)}")
            sources[name] = type(source)(source.array, way)
        return self._with(sources=MappingProxyType(sources))

    @property
    def names(self) -> tuple[str, ...]:
        """The fields, in the order given."""
        return tuple(self.sources)

    @property
    def digest(self) -> str:
        """A digest of the content: equal fields have equal digests on every machine. Functions have none."""
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
                    f"the factor for {tile!r} is a function, which has no digest; make it a field and give "
                    "the name of the field"
                )
            digest.update(f"factor {tile!r} {factor!r} ".encode())
        return digest.hexdigest()

    def at(self, topology: Topology, origin: tuple[int, ...] | None = None) -> dict[str, Numbers]:
        """{name: float64 [cell]}, read-only: every field at every cell.

        With `origin` the topology is a part of a world, and its cell (0, 0) lies there. Then an array or a
        picture has one value for each cell of the world from (0, 0) on, and none outside; see `beyond`.
        """
        return self.sampled(topology, origin).values

    def sampled(self, topology: Topology, origin: tuple[int, ...] | None = None) -> SampledFields:
        """All fields at every cell, for weights and masks."""
        places = CellPositions(topology, origin)
        return SampledFields(self, places, self._values(places))

    def sample(self, name: str, x: ArrayLike, y: ArrayLike, z: ArrayLike | None = None) -> Numbers:
        """One field at any places, in the shape of the arrays given; whole numbers are squares (or cubes).

        Of an array or a picture, the value of the nearest cell; outside, an error, unless `beyond` says how
        it continues.
        """
        axes = read_axes(x, y) if z is None else read_axes(x, y, z)
        flat = tuple(axis.ravel() for axis in axes)
        return self._source(name).sample(flat, describe_field(name)).reshape(axes[0].shape)

    def image(self, topology: Topology, name: str) -> Image:
        """One field to look at, a pixel per cell: black where it is lowest, white where it is highest.

        Hexagons are laid out as in `topology.shape`; the layers of a cube stand below each other.
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
    ) -> Numbers:
        """float64 [cell, pattern] for `Problem(weights=...)`: each tile's own weight times a factor per cell.

        `factors` are {tile: factor}; a tile is named as in pins, a factor is the name of a field, noise, a
        number, an array [cell], or a function of the fields: `lambda f: f["wet"] * (1 - f["altitude"])`.
        Factors for a tile and for one of its patterns are multiplied. 0 means: only if nothing else fits.
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

        `Tile.limits` and `TileSet.allowed_at` hold in any case. `limits` are
        {tile: {field: (lowest, highest)}}, both included; a tile is named as in pins.
        `allowed_at(pattern, fields)` gets each `Pattern` of a tile set (of bare rules its name) and the
        fields by name, and returns True or False: for all cells at once or, if it cannot take arrays, for
        one cell after the other.
        """
        get_rules(tiles)
        given = read_mapping("limits", limits or {})
        return self.sampled(topology, origin).masks(tiles, given, allowed_at)

    def _factor(self, tile: str, given: Any) -> Any:
        """A factor, checked."""
        if isinstance(given, str):
            self._source(given)
        elif isinstance(given, Real) and not isinstance(given, bool):
            return parse_number(f"the factor for {tile!r}", given)
        elif not isinstance(given, Expression) and not callable(given):
            raise ConfigError(
                f"the factor for {tile!r} must be the name of a field, noise, a number or a function of the "
                f"fields, not {given!r:.60}; make an array a field"
            )
        return given

    def _with(self, **changes: Any) -> Fields:
        fields = Fields(**self.sources)
        set_frozen(fields, **({"limits": self.limits, "factors": self.factors} | changes))
        return fields

    def _values(self, places: CellPositions) -> Values:
        values = Values()
        for name, source in self.sources.items():
            values[name] = freeze(source.at(places, describe_field(name)))
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
    """Fields from their parts, for pickle."""
    return Fields(**sources).with_limits(limits).with_factors(factors)


def read_mapping(name: str, given: Any) -> Mapping[Any, Any]:
    """A dict {tile: …}; raises ConfigError for anything else."""
    if not isinstance(given, Mapping):
        raise ConfigError(f"{name} must be a dict {{tile: …}}, not {given!r}")
    return given


def describe_field(name: str) -> str:
    """The name of a field in messages."""
    return f"field {name!r}"
