"""Patchworks: maps that grow grid by grid."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, TileSetError
from wavefold.fields import Fields
from wavefold.kernels.host.checkpoint import holding
from wavefold.kernels.host.seeding import fold_seed
from wavefold.options.names import JoinName, Sweeps, TileLike
from wavefold.options.values import check_path, parse_seed
from wavefold.patchwork.arguments import Retries, parse_pair, parse_presets
from wavefold.patchwork.files import decode_file, encode_file
from wavefold.patchwork.join import Join, JoinContext, JoinResult, rebuild_disk, resolve_join
from wavefold.patchwork.plan import Cell, Key, make_plan
from wavefold.patchwork.refining import refine_grids, resolve_grid_refining
from wavefold.patchwork.state import GridReport, MapState, PatchworkParts, PatchworkReport, Snapshot
from wavefold.solver import Solution
from wavefold.storage.archive import MOST_BYTES
from wavefold.storage.files import check_writable, read_limited, write_atomically
from wavefold.tiles import Rules, TileSet
from wavefold.tiles.objects import PlacedObject

Progress = Callable[[int, int], None]

HALF = 1 << 63

if TYPE_CHECKING:
    from PIL import Image


class PatchworkPicture(TypedDict, total=False):
    """The options of `draw_patchwork`."""

    tile_size: int | None
    outlines: bool
    marks: bool
    levels: bool
    legend: bool
    objects: bool
    seen: Snapshot | None


class Patchwork:
    """A map of grids, each joined to earlier ones.

    Cells are (q, r) of hexagons, or (x, y) of squares. A grid's key is (gx, gz): its column and row; every
    second column of hexagonal grids is half a grid lower. A cell always belongs to the same grid, even if the
    join of another grid changed it. Calls that change the map wait for each other; readers in other threads
    see the map before or after a change.

    Parameters
    ----------
    tiles : a hexagonal or square tile set
    radius : of a grid, in cells around its centre (1 to 128): disks of hexagons, squares of 2R + 1 cells
    seed : the same seed and the same order of growth give the same map on every machine
    join : "fixed", "overlap", "editable", "whole" or "witness"; or a `Join`
    retries : seeds to try in each phase of a join: a number, {"replace": 3}, or `Retries`
    fields : values at every cell; limits of tiles are met where the rest of the map allows it
    presets : {cell: tile} to pin; True for grass in the centre and water on one side (medieval tiles)
    grow : with "whole", the join for grids that are populated one by one
    refine : sweeps for each grid after it is joined: a number, False, or "auto" for the number that suits
        the tile set, if it has stored activities. With "witness", sweeps for each window of its world

    >>> map = Patchwork(TileSet.load("medieval"), seed=351921)
    >>> map.populate((0, 0)).dropped
    0
    """

    def __init__(
        self,
        tiles: TileSet,
        radius: int = 8,
        seed: int = 0,
        join: JoinName | str | Join = "overlap",
        retries: int | Mapping[str, int] | Retries | None = None,
        fields: Fields | None = None,
        presets: bool | Mapping[Cell, TileLike] = False,
        *,
        grow: JoinName | str | Join = "overlap",
        refine: Sweeps = "auto",
    ) -> None:
        if not isinstance(tiles, TileSet):
            raise TileSetError(f"tiles must be a TileSet such as TileSet.load('medieval'), not {tiles!r}")
        if fields is not None and not isinstance(fields, Fields):
            raise ConfigError(f"fields must be given as Fields(altitude=Noise(0.02)), not {fields!r}")
        self.tiles, self.seed, self.fields = tiles, parse_seed(seed), fields
        plan = make_plan(tiles.topology, radius)
        self.join = resolve_join(join, grow)
        self.retries = Retries.of(retries)
        signed = (fold_seed(self.seed) + HALF) % (2 * HALF) - HALF  # 64 bits, which `fold_seed` leaves alone
        pins = parse_presets(presets, tiles, plan, signed)
        refining = resolve_grid_refining(tiles, refine, self.join)
        sweeps = 0 if refining is None else refining.sweeps
        context = JoinContext(tiles, plan, signed, self.retries, fields, pins, sweeps)
        self.parts = PatchworkParts(self.join, context, MapState(context), refining)

    def __repr__(self) -> str:
        return (
            f"Patchwork({self.tiles!r}, radius {self.radius}, seed {self.seed}, "
            f"join {self.join.name!r}, {len(self.parts.state.reports)} grids)"
        )

    def _repr_html_(self) -> str | None:
        from wavefold.patchwork.picture import represent_patchwork

        return represent_patchwork(self)

    @property
    def radius(self) -> int:
        """The radius of a grid, in cells around its centre."""
        return self.parts.context.plan.radius

    @property
    def refine(self) -> int:
        """The number of sweeps that refine each grid; 0: no refining."""
        return 0 if self.parts.refining is None else self.parts.refining.sweeps

    @property
    def rules(self) -> Rules:
        """The rules of the tile set."""
        return self.tiles.rules

    @property
    def steps(self) -> NDArray[np.int32]:
        """int32 [direction, axis]: the step to the neighbour in each direction."""
        return self.parts.context.plan.steps

    @property
    def pins(self) -> dict[Cell, TileLike]:
        """{cell: tile} of the presets."""
        return dict(self.parts.context.pins)

    def snapshot(self) -> Snapshot:
        """Return a copy of patterns, grids, changed and dropped cells, all from one moment."""
        return self.parts.state.snapshot()

    @property
    def patterns(self) -> dict[Cell, int]:
        """{(q, r): pattern} of every populated cell, as a copy."""
        with self.parts.state.lock:
            return dict(self.parts.context.patterns)

    @property
    def grids(self) -> tuple[Key, ...]:
        """The keys of populated grids, in build order."""
        with self.parts.state.lock:
            return tuple(self.parts.state.reports)

    @property
    def dropped(self) -> tuple[Cell, ...]:
        """Cells that no longer constrain their neighbours; some of their sides may not fit."""
        with self.parts.state.lock:
            return tuple(sorted(self.parts.context.dropped))

    @property
    def changed(self) -> tuple[Cell, ...]:
        """Cells that got another pattern when another grid was joined."""
        with self.parts.state.lock:
            return tuple(sorted(self.parts.state.changed))

    @property
    def report(self) -> PatchworkReport:
        """The effort so far; soft masks are counted on the current map."""
        return self.parts.state.summarize()

    def solution(self) -> Solution:
        """Return the map as a solution on a grid of its cells, to draw it or to save it in any format.

        `solution.origin` is the position of its cell (0, 0) in the map.
        """
        return self.snapshot().solution(self.tiles, self.seed)

    @property
    def objects(self) -> list[PlacedObject]:
        """The objects on all populated cells; unchanged cells keep their objects when the map grows."""
        return self.solution().objects if self.grids else []

    def tile(self, cell: Cell) -> str:
        """Return the name of the pattern at a cell."""
        position = parse_pair("a cell", cell)
        pattern = self.parts.context.patterns.get(position)
        if pattern is None:
            raise ConfigError(f"cell {position} is not populated: it belongs to grid {self.owner(position)}")
        return self.rules.names[pattern]

    def owner(self, cell: Cell) -> Key:
        """Return the key of the grid to which a cell belongs, populated or not."""
        return self.parts.context.plan.owner(parse_pair("a cell", cell))

    def cells_of(self, key: Key) -> list[Cell]:
        """Return the cells of a grid, populated or not."""
        return self.parts.context.plan.cells(self.parts.check_key(key))

    def centre_of(self, key: Key) -> Cell:
        """Return the cell in the middle of a grid."""
        return self.parts.context.plan.centre(self.parts.check_key(key))

    def expandable(self) -> list[Key]:
        """List the grids that can be populated next: around the first grid, then around the second, …"""
        return self.parts.context.plan.surroundings(self.grids) or [(0, 0)]

    def populate(self, key: Key) -> GridReport:
        """Make one grid. If that fails, raises `WavefoldError` without any change."""
        with holding(self.parts.growing):
            (wanted,) = self.parts.check_keys([key])
            return self._populate(wanted)

    def populate_all(self, keys: Iterable[Key], progress: Progress | None = None) -> PatchworkReport:
        """Make these grids in this order, and call `progress(done, grids)` after each.

        If one fails, earlier ones stay.
        """
        with holding(self.parts.growing):
            if not isinstance(keys, Iterable):
                raise ConfigError(f"grids must be a list of keys, such as [(0, 0), (0, -1)], not {keys!r}")
            wanted = self.parts.check_keys(keys)
            started = perf_counter()
            together = self.join.populate_together(self.parts.context, wanted) if wanted else None
            if together is not None:
                self._put(wanted, together, self.join, started)
                if progress is not None:
                    progress(len(wanted), len(wanted))
                return self.report
            for done, key in enumerate(wanted, start=1):
                if progress is not None:
                    self.parts.check_keys([key])  # progress() may have changed the map
                self._populate(key)
                if progress is not None:
                    progress(done, len(wanted))
            return self.report

    def rebuild(self, cell: Cell, radius: int = 2) -> tuple[Cell, ...]:
        """Solve a small disk again with everything around it fixed; returns the changed cells.

        If no other solution is found, raises `OutOfBudget` without any change.
        """
        with holding(self.parts.growing):
            position, number = parse_pair("a cell", cell), self.parts.state.rebuilds
            return self.parts.state.put_rebuilt(
                rebuild_disk(self.parts.context, self.join, position, radius, number)
            )

    def clear(self) -> None:
        """Remove all grids."""
        with holding(self.parts.growing):
            self.parts.state.clear()

    def image(self, **options: Unpack[PatchworkPicture]) -> Image.Image:
        """Draw the map as a Pillow image; the options are those of `draw_patchwork`."""
        from wavefold.patchwork.picture import draw_patchwork

        return draw_patchwork(self, **options)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the map and its tiles to a file, atomically."""
        check_path("path", path)
        check_writable(path)
        content = encode_file(self)
        with write_atomically(path) as file:
            file.write(content)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        tiles: TileSet | None = None,
        fields: Fields | None = None,
        join: Join | None = None,
    ) -> Patchwork:
        """Load a map from a file; it can continue to grow.

        tiles : the tiles of the map; needed only if the file could not store them, or if they are damaged
        fields, join : those of the map; needed only if the file could not store them
        """
        check_path("path", path)
        source = Path(path)
        content = read_limited(source, MOST_BYTES, "it cannot be a patchwork")
        return decode_file(cls, content, source, tiles, fields, join)

    def _populate(self, key: Key) -> GridReport:
        started, join = perf_counter(), self.join.growth if self.parts.state.reports else self.join
        return self._put([key], self.join.populate(self.parts.context, key), join, started)

    def _put(self, keys: list[Key], result: JoinResult, join: Join, started: float) -> GridReport:
        """Refine the result of a join, and add it to the map."""
        if self.parts.refining is not None and not join.grows_from_seed:
            refine_grids(self.parts.context, self.parts.refining, result)
        return self.parts.state.put_grids(keys, result, join.name, perf_counter() - started)
