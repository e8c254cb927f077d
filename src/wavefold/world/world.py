"""The endless world: any chunk, in any order, on any machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.auditing import Certificate, find_certificate
from wavefold.errors import ConfigError, TileSetError, WorldError
from wavefold.fields import Fields
from wavefold.plugins import find
from wavefold.solver import Problem, Solution, Statistics
from wavefold.tiles import Rules, TileSet
from wavefold.topology import HexGrid, SquareGrid
from wavefold.topology.values import integer
from wavefold.world.making import Maker, paste
from wavefold.world.plan import FARTHEST, Plan
from wavefold.world.report import WorldReport
from wavefold.world.wishes import FieldWishes

__all__ = ["World"]

MOST_CELLS = 1 << 26  # of one region

_certificates: dict[str, Certificate] = {}  # by the digest of the rules


class World:
    """An endless map. `chunk(x, y)` depends on the tiles, the seed and the sizes, and on nothing else.

    Parameters
    ----------
    tiles : a square or hexagonal tile set that has a certificate: a small map that repeats over the plane
    seed : same seed, same world, on every machine
    chunk : cells along the side of a chunk
    fields : values over the whole plane; limits of tiles are met as far as the rest of the world allows
    radius, half_width : of the windows where chunks meet (see `Plan`)

    May be read from several threads at once. Hexagons are in axial coordinates: x is q, y is r.

    >>> world = World(TileSet.load("pipes"), seed=7)
    >>> world.chunk(3, -2).shape
    (64, 64)
    """

    def __init__(
        self,
        tiles: TileSet,
        seed: int = 0,
        chunk: int = 64,
        *,
        fields: Fields | None = None,
        radius: int | None = None,
        half_width: int | None = None,
    ) -> None:
        if not isinstance(tiles, TileSet):
            raise TileSetError(f"tiles must be a TileSet, as from TileSet.load('pipes'), not {tiles!r}")
        if tiles.topology not in ("square", "hex"):
            raise WorldError(
                f"an endless world is made of square or hex tiles, and these are for {tiles.topology}s"
            )
        self.tiles = tiles
        self.seed = whole("seed", seed)
        size = whole("chunk", chunk)
        reach = min(11, (size - 2) // 2) if radius is None else whole("radius", radius)
        width = reach - 1 if half_width is None else whole("half_width", half_width)
        self.plan = Plan(size, reach, width).checked()
        self.certificate = certificate_of(tiles)
        if self.certificate.base is None:
            raise WorldError(
                f"this tile set has no certificate for an endless world: {self.certificate}; "
                "wf.audit(tiles) shows what stands in the way"
            )
        self.fields = fields
        wishes = None if fields is None else FieldWishes(tiles, fields, size)
        self._maker = Maker(tiles.rules, self.certificate.base, self.plan, self.seed, wishes)

    def __repr__(self) -> str:
        return f"World({self.tiles!r}, seed {self.seed}, chunks of {self.plan.chunk} cells)"

    @property
    def rules(self) -> Rules:
        """Which patterns may touch."""
        return self.tiles.rules

    @property
    def steps(self) -> NDArray[np.int32]:
        """int32 [direction, axis]: the step (dx, dy) to each neighbour."""
        return HexGrid.steps if self.tiles.topology == "hex" else SquareGrid.steps

    @property
    def report(self) -> WorldReport:
        """How many windows were renewed, swept and kept so far."""
        return WorldReport.of(self._maker)

    def chunk(self, x: int, y: int) -> NDArray[np.int32]:
        """int32 [row, column] of patterns; its first is world cell (x * chunk, y * chunk). Read-only."""
        i, j = whole("x", x), whole("y", y)
        self._check_reach(i * self.plan.chunk, j * self.plan.chunk)
        return self._maker.chunk(i, j)

    def region(
        self,
        x0: int,
        y0: int,
        width: int,
        height: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> NDArray[np.int32]:
        """int32 [row, column] of patterns; its cell (0, 0) is world cell (x0, y0)."""
        x0, y0, width, height = (
            whole(name, value)
            for name, value in (("x0", x0), ("y0", y0), ("width", width), ("height", height))
        )
        if width < 1 or height < 1:
            raise ConfigError(f"a region of {width} x {height} cells is empty; both must be at least 1")
        if width * height > MOST_CELLS:
            raise ConfigError(f"a region of {width * height:,} cells is too large: at most {MOST_CELLS:,}")
        self._check_reach(x0, y0)
        self._check_reach(x0 + width, y0 + height)
        region = np.empty((height, width), np.int32)
        side = self.plan.chunk
        needed = [
            (i, j)
            for j in range(y0 // side, (y0 + height - 1) // side + 1)
            for i in range(x0 // side, (x0 + width - 1) // side + 1)
        ]
        for done, (i, j) in enumerate(needed):
            if progress is not None:
                progress(done, len(needed))
            paste(region, x0, y0, self._maker.chunk(i, j), i * side, j * side)
        return region

    def tile_at(self, x: int, y: int) -> str:
        """The name of the pattern at a cell."""
        return self.rules.names[int(self.region(x, y, 1, 1)[0, 0])]

    def solution(self, x0: int, y0: int, width: int, height: int) -> Solution:
        """A region as a map: to draw, check or save."""
        grid_of = HexGrid.rhombus if self.tiles.topology == "hex" else SquareGrid
        patterns = self.region(x0, y0, width, height).reshape(-1).astype(np.int64)
        return Solution(Problem(self.tiles, grid_of(width, height)), patterns, Statistics(), self.seed)

    def image(self, x0: int, y0: int, width: int, height: int, **options: Any) -> Any:
        """A region as a Pillow image; the options are those of `solution.image`."""
        return find("renderer", "image")(self.solution(x0, y0, width, height), **options)

    def _check_reach(self, x: int, y: int) -> None:
        if max(abs(x), abs(y)) > FARTHEST:
            raise ConfigError(f"({x}, {y}) is too far away: coordinates go up to 2**40 cells either way")


def whole(name: str, value: Any) -> int:
    """A whole number, or an error that names it."""
    number = integer(value)
    if number is None:
        raise ConfigError(f"{name} must be a whole number, not {value!r}")
    return number


def certificate_of(tiles: TileSet) -> Certificate:
    """The certificate of a tile set, found once: a pure function of its rules."""
    digest = tiles.rules.digest
    if digest not in _certificates:
        _certificates[digest] = find_certificate(tiles)
    return _certificates[digest]
