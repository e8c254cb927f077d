"""Patchwork: a map that grows grid by grid."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.common.checkpoint import holding
from wavefold.common.seeding import fold_seed
from wavefold.common.values import parse_seed
from wavefold.errors import ConfigError, TileSetError
from wavefold.fields import Fields
from wavefold.objects import PlacedObject
from wavefold.patchwork.arguments import Retries, parse_pair, parse_presets
from wavefold.patchwork.files import load_patchwork, save_patchwork
from wavefold.patchwork.join import Join, JoinContext, JoinResult, rebuild_disk, resolve_join
from wavefold.patchwork.plan import Cell, Key, make_plan
from wavefold.patchwork.refining import refine_grid, resolve_grid_refining
from wavefold.patchwork.state import GridReport, MapState, PatchworkReport, Snapshot
from wavefold.plugins import find_above
from wavefold.solver import Solution
from wavefold.tiles import Rules, TileSet

Progress = Callable[[int, int], None]

HALF = 1 << 63


class Patchwork:
    """A map of grids, each joined to those before it. Cells are (q, r), of squares (x, y).

    Parameters
    ----------
    tiles : a hexagonal or square tile set
    radius : of a grid, in cells around its centre (1 to 128): disks of hexagons, squares of 2R + 1 cells
    seed : the same seed and the same order of growth give the same map, on every machine
    join : "fixed", "overlap", "editable", "whole" or "witness"; or a `Join`
    retries : seeds per phase before a join goes on to the next: a number, {"replace": 3}, or `Retries`
    fields : values at every cell; limits of tiles are met as far as the rest of the map allows
    presets : {cell: tile} that must be there; True for a grass centre and a water side (medieval tiles)
    grow : the join for further grids of a map made whole
    refine : sweeps that refine each grid after it was joined: a number, False, or "auto": what suits the tile
        set, if activities are stored with it. Of a witness: each window of the world it is cut from

    A grid's key is (gx, gz): its column and row, every second column of hexagonal grids half a grid lower.
    A cell always belongs to the same grid, whichever solve changed it last. Calls that change the map wait
    for each other; readers see the map as it was before.

    >>> map = Patchwork(TileSet.load("medieval"), seed=351921)
    >>> map.populate((0, 0)).dropped
    0
    """

    def __init__(
        self,
        tiles: TileSet,
        radius: int = 8,
        seed: int = 0,
        join: str | Join = "overlap",
        retries: int | Mapping[str, int] | Retries | None = None,
        fields: Fields | None = None,
        presets: bool | Mapping[Cell, Any] = False,
        *,
        grow: str | Join = "overlap",
        refine: Any = "auto",
    ) -> None:
        if not isinstance(tiles, TileSet):
            raise TileSetError(f"tiles must be a TileSet, as from TileSet.load('medieval'), not {tiles!r}")
        if fields is not None and not isinstance(fields, Fields):
            raise ConfigError(f"fields must be given as Fields(altitude=Noise(0.02)), not {fields!r}")
        self.tiles, self.seed, self.fields = tiles, parse_seed(seed), fields
        plan = make_plan(tiles.topology, radius)
        self.join = resolve_join(join, grow)
        self.retries = Retries.of(retries)
        signed = (fold_seed(self.seed) + HALF) % (2 * HALF) - HALF  # 64 bits, which `fold_seed` leaves alone
        pins = parse_presets(presets, tiles, plan, signed)
        self._refining = resolve_grid_refining(tiles, refine, self.join)
        self._context = JoinContext(tiles, plan, signed, self.retries, fields, pins, self.refine)
        self._state = MapState(self._context)
        self._growing = threading.RLock()  # held while a grid is made

    def __repr__(self) -> str:
        return (
            f"Patchwork({self.tiles!r}, radius {self.radius}, seed {self.seed}, "
            f"join {self.join.name!r}, {len(self._state.reports)} grids)"
        )

    def _repr_html_(self) -> Any:
        return find_above("represent a patchwork")(self)

    @property
    def radius(self) -> int:
        """Of a grid, in cells around its centre."""
        return self._context.plan.radius

    @property
    def refine(self) -> int:
        """How many sweeps refine each grid; 0: none."""
        return 0 if self._refining is None else self._refining.sweeps

    @property
    def rules(self) -> Rules:
        """Which patterns may touch."""
        return self.tiles.rules

    @property
    def steps(self) -> NDArray[np.int32]:
        """int32 [direction, axis]: the step to each neighbour."""
        return self._context.plan.steps

    @property
    def pins(self) -> dict[Cell, Any]:
        """{cell: tile} of the presets."""
        return dict(self._context.pins)

    def snapshot(self) -> Snapshot:
        """Patterns, grids, changed and dropped cells, all from one moment."""
        return self._state.snapshot()

    @property
    def patterns(self) -> dict[Cell, int]:
        """{(q, r): pattern} for every populated cell: a copy."""
        with self._state.lock:
            return dict(self._context.patterns)

    @property
    def grids(self) -> tuple[Key, ...]:
        """The keys of populated grids, in the order they were built."""
        with self._state.lock:
            return tuple(self._state.reports)

    @property
    def dropped(self) -> tuple[Cell, ...]:
        """Cells that no longer constrain their neighbours; some of their sides may not fit."""
        with self._state.lock:
            return tuple(sorted(self._context.dropped))

    @property
    def changed(self) -> tuple[Cell, ...]:
        """Cells that got another pattern when a neighbour of their grid was joined to it."""
        with self._state.lock:
            return tuple(sorted(self._state.changed))

    @property
    def report(self) -> PatchworkReport:
        """The effort so far; soft masks are counted on the map as it is now."""
        return self._state.summarize()

    def solution(self) -> Solution:
        """The map as one solution on a grid of just its cells: to draw it, or to save it in any format.

        `solution.origin` says which cell of the map is its cell (0, 0).
        """
        return self.snapshot().solution(self.tiles, self.seed)

    @property
    def objects(self) -> list[PlacedObject]:
        """The objects on all populated cells; a cell that is not changed by a join keeps its own."""
        return self.solution().objects if self.grids else []

    def tile(self, cell: Cell) -> str:
        """The name of the pattern at a cell."""
        position = parse_pair("a cell", cell)
        pattern = self._context.patterns.get(position)
        if pattern is None:
            raise ConfigError(f"cell {position} is not populated: it belongs to grid {self.owner(position)}")
        return self.rules.names[pattern]

    def owner(self, cell: Cell) -> Key:
        """The key of the grid a cell belongs to, populated or not."""
        return self._context.plan.owner(parse_pair("a cell", cell))

    def cells_of(self, key: Key) -> list[Cell]:
        """The cells of a grid, populated or not."""
        return self._context.plan.cells(self._key(key))

    def centre_of(self, key: Key) -> Cell:
        """The cell in the middle of a grid."""
        return self._context.plan.centre(self._key(key))

    def expandable(self) -> list[Key]:
        """The grids that could be populated next: around the first grid, then around the second, …"""
        return self._context.plan.surroundings(self.grids) or [(0, 0)]

    def populate(self, key: Key) -> GridReport:
        """Make one grid. Raises `WavefoldError`, leaving the map as it was, if it cannot be."""
        with holding(self._growing):
            self._check([self._key(key)])
            return self._populate(self._key(key))

    def populate_all(self, keys: Iterable[Key], progress: Progress | None = None) -> PatchworkReport:
        """Make these grids in this order; `progress(done, grids)` is called after each.

        If one cannot be made, those before it stay.
        """
        with holding(self._growing):
            if not isinstance(keys, Iterable):
                raise ConfigError(f"grids are given as a list of keys, [(0, 0), (0, -1)], not {keys!r}")
            wanted = [self._key(key) for key in keys]
            self._check(wanted)
            started = perf_counter()
            together = None
            if wanted and not self._state.reports:
                together = self.join.populate_together(self._context, wanted)
            if together is not None:
                self._refine(together, wanted[0])
                self._put(wanted, together, perf_counter() - started)
                if progress is not None:
                    progress(len(wanted), len(wanted))
                return self.report
            for done, key in enumerate(wanted, start=1):
                if progress is not None:
                    self._check([key])  # which may have changed the map meanwhile
                self._populate(key)
                if progress is not None:
                    progress(done, len(wanted))
            return self.report

    def rebuild(self, cell: Cell, radius: int = 2) -> tuple[Cell, ...]:
        """Solve a small disk again with everything around it fixed; the cells that are different now.

        Raises, leaving the map as it was, if no other solution was found.
        """
        with holding(self._growing):
            position, number = parse_pair("a cell", cell), self._state.rebuilds
            return self._state.put_rebuilt(rebuild_disk(self._context, self.join, position, radius, number))

    def clear(self) -> None:
        """Forget every grid: the map is empty, as if it had just been made."""
        with holding(self._growing):
            self._state.clear()

    def image(self, **options: Any) -> Any:
        """The map as a Pillow image; the options are those of `draw_patchwork`."""
        return find_above("draw a patchwork")(self, **options)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the map into a JSON file, whole or not at all, with the tiles it is made of."""
        save_patchwork(self, path)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        tiles: TileSet | None = None,
        fields: Fields | None = None,
        join: Join | None = None,
    ) -> Patchwork:
        """Load a map from a file; it grows on as if it had never been saved.

        tiles : those the map was made with; needed only if the file could not hold them
        fields, join : likewise
        """
        return load_patchwork(cls, path, tiles, fields, join)

    def _populate(self, key: Key) -> GridReport:
        started = perf_counter()
        result = self.join.populate(self._context, key)
        self._refine(result, key)
        return self._put([key], result, perf_counter() - started)

    def _refine(self, result: JoinResult, key: Key) -> None:
        join = self.join.growth if self._state.reports else self.join
        if self._refining is not None and not join.grows_from_seed:
            refine_grid(self._context, self._refining, result, key)

    def _put(self, keys: list[Key], result: JoinResult, seconds: float) -> GridReport:
        join = self.join.growth if self._state.reports else self.join
        return self._state.put_grids(keys, result, join.name, seconds)

    def _key(self, key: Any) -> Key:
        found = parse_pair("a key", key)
        if not self._context.plan.in_reach(found):
            raise ConfigError(f"grid {found} is out of reach of the map: coordinates go up to 2**40 cells")
        return found

    def _check(self, keys: list[Key]) -> None:
        """Raise unless these grids can be made one after another."""
        there = dict.fromkeys(self._state.reports)
        for key in keys:
            if key in there:
                again = "is populated already" if key in self._state.reports else "is listed twice"
                raise ConfigError(f"grid {key} {again}")
            touches = not there or any(other in there for other in self._context.plan.neighbours(key))
            if not touches and not self.join.islands:
                near = self._context.plan.surroundings(there)
                shown = ", ".join(map(str, near[:24])) + (", …" if len(near) > 24 else "")
                raise ConfigError(
                    f"grid {key} is out of reach of the map: it touches no populated grid; "
                    f"grids you can add now: {shown}"
                )
            there[key] = None
