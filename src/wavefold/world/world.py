"""The endless world: any chunk, in any order, on any machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.common.seeding import fold_seed, mix
from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError, Contradiction, TileSetError, WavefoldError, WorldError
from wavefold.fields import Fields
from wavefold.plugins import find
from wavefold.solver import Budget, Problem, Solution, Statistics
from wavefold.tiles import Rules, TileSet
from wavefold.topology import box, is_plane, lattice_class
from wavefold.world.base import certificate_of, rich_base
from wavefold.world.edits.edit import Edit, Wanted, read_cell, read_wanted
from wavefold.world.edits.log import EditLog
from wavefold.world.edits.solve import FARTHEST_REACH, REACH, is_final, settle
from wavefold.world.generator import ChunkGenerator, paste
from wavefold.world.persistence import (
    OpenOptions,
    WorldFile,
    create_or_join,
    open_world,
    parse_keep,
    refresh_log,
    save_world,
)
from wavefold.world.plan import FARTHEST, Plan
from wavefold.world.report import WorldReport
from wavefold.world.store.chunks import StoreReport
from wavefold.world.store.store import PATIENCE
from wavefold.world.streaming.budget import BudgetManager
from wavefold.world.streaming.delivery import ChunkArray, ChunkDelivery, milliseconds
from wavefold.world.streaming.prefetch import Prefetch, Viewport, prefetch
from wavefold.world.wishes import FieldWishes

MOST_CELLS = 1 << 26  # of one region
SMALLEST_CHUNK, LARGEST_CHUNK = 4, 4096  # cells along a side


class World:
    """An endless map. `chunk(x, y)` is a function of what is listed here and of the edits alone.

    Parameters
    ----------
    tiles : a square or hexagonal tile set that has a certificate: a small map that repeats over the plane
    seed : same seed, same world, on every machine; any whole number
    chunk : cells along the side of a chunk, 4 to 4,096
    pins : {(x, y): tile} that must be there: the first edit, made at once, which cannot be taken back
    fields : values over the whole plane; limits of tiles are met as far as the rest of the world allows
    store : a file to keep the world in from now on, or the one it is kept in; edits are written at once
    keep : how many chunks the store may keep, to read them instead of making them
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
        pins: Mapping[tuple[int, int], Any] | None = None,
        fields: Fields | None = None,
        store: str | os.PathLike[str] | None = None,
        keep: int = 0,
        radius: int | None = None,
        half_width: int | None = None,
    ) -> None:
        if not isinstance(tiles, TileSet):
            raise TileSetError(f"tiles must be a TileSet, as from TileSet.load('pipes'), not {tiles!r}")
        if not is_plane(tiles.topology):
            raise WorldError(
                f"an endless world is made of square or hex tiles, and these are for {tiles.topology}s"
            )
        if not isinstance(fields, Fields | None):
            raise ConfigError(f"fields must be a Fields, as from wf.Fields(height=...), not {fields!r:.80}")
        room = parse_keep(keep)
        self.tiles = tiles
        self.seed = require_integer("seed", seed)
        size = require_integer("chunk", chunk)
        if not SMALLEST_CHUNK <= size <= LARGEST_CHUNK:
            raise ConfigError(
                f"a chunk must have at least {SMALLEST_CHUNK} and at most {LARGEST_CHUNK:,} cells along a "
                f"side, not {size:,}"
            )
        reach = min(11, (size - 2) // 2) if radius is None else require_integer("radius", radius)
        width = reach - 1 if half_width is None else require_integer("half_width", half_width)
        self.plan = Plan(size, reach, width).checked()
        self.certificate = certificate_of(tiles)
        if self.certificate.base is None:
            raise WorldError(
                f"this tile set has no certificate for an endless world: {self.certificate}; "
                "wf.audit(tiles) shows what stands in the way"
            )
        self.fields = fields
        wishes = None if fields is None else FieldWishes(tiles, fields, size)
        base = rich_base(tiles, self.certificate)
        ground = getattr(tiles, "ground_pattern", None)  # a plane has no bottom
        self._generator = ChunkGenerator(tiles.rules, base, self.plan, fold_seed(self.seed), wishes, ground)
        self._log = EditLog(size)
        self._delivery = ChunkDelivery(self._generator, self._log.overlay)
        self._file: WorldFile | None = None
        if pins is not None:
            self._pin(read_wanted(self.rules, pins, "pins"))
        if store is not None:
            create_or_join(self, store, room)

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        readonly: bool = False,
        recover: bool = False,
        migrate: bool = False,
        patience: float = PATIENCE,
        keep: int = 0,
        tiles: TileSet | None = None,
    ) -> World:
        """The world in a file that `save` or `store=` made; edits are written to it at once.

        readonly : nothing is written, and the world cannot be edited
        recover : keep what is whole, for good: edits before one that is damaged, a world without its pictures
        migrate : if an older wavefold made it, make it anew from seed, tiles and what edits asked for
        patience : seconds to wait while another program writes
        keep : how many chunks the file may keep
        tiles : instead of those in the file, with the same rules; for other pictures, or if those are damaged
        """
        how = OpenOptions(readonly, recover, migrate, patience, keep, tiles)
        return open_world(cls, path, how.checked())

    def save(self, path: str | os.PathLike[str], chunks: Iterable[tuple[int, int]] = ()) -> None:
        """Write everything into one file, whole or not at all; a world that is in it is replaced.

        `chunks` are places of chunks to put in ready made; without, they are made again when asked for.
        """
        try:
            places = [read_cell(tuple(each), "chunks") for each in chunks]
        except TypeError:
            raise ConfigError(f"chunks must be places [(x, y), ...], not {chunks!r:.80}") from None
        for i, j in places:
            self._check_reach(i * self.plan.chunk, j * self.plan.chunk)
        save_world(self, path, places)

    def __repr__(self) -> str:
        return f"World({self.tiles!r}, seed {self.seed}, chunks of {self.plan.chunk} cells)"

    @property
    def rules(self) -> Rules:
        """Which patterns may touch."""
        return self.tiles.rules

    @property
    def steps(self) -> NDArray[np.int32]:
        """int32 [direction, axis]: the step (dx, dy) to each neighbour."""
        return lattice_class(self.tiles.topology).steps

    @property
    def report(self) -> WorldReport:
        """What became of the windows generated so far."""
        return self._generator.report

    @property
    def budgets(self) -> BudgetManager:
        """How long things take here, and how often calls with a budget kept their promise."""
        return self._delivery.manager

    def chunk(self, x: int, y: int, budget: Budget | None = None) -> ChunkArray:
        """int32 [row, column] of patterns; its first is world cell (x * chunk, y * chunk). Read-only.

        With `budget=wf.Budget(ms=50)` the answer comes in time: a chunk whose `provisional` says whether
        its inside is still to come, or `NotReady` if not even its borders are there. The work goes on in
        the background until much else was asked for since, or a view elsewhere was prefetched; ask again
        for the final chunk, which is the same whatever the budget.
        """
        i, j = require_integer("x", x), require_integer("y", y)
        self._check_reach(i * self.plan.chunk, j * self.plan.chunk)
        ms = None if budget is None else milliseconds(budget)
        return self._delivery.final(i, j) if ms is None else self._delivery.chunk(i, j, ms)

    def prefetch(self, x0: int, y0: int, width: int, height: int, margin: int = 1) -> Prefetch:
        """Make the chunks of a view in the background, nearest to its middle first.

        The view is a rectangle of cells; `margin` chunks around it are made too. Asking again cancels what
        the new view does not want, also what was once asked for with a budget. No more is made ahead than
        fits in memory.
        """
        named = {"x0": x0, "y0": y0, "width": width, "height": height, "margin": margin}
        view = Viewport(*(require_integer(name, value) for name, value in named.items()))
        reach = view.margin * self.plan.chunk
        self._check_reach(view.x0 - reach, view.y0 - reach)
        self._check_reach(view.x0 + view.width + reach, view.y0 + view.height + reach)
        return prefetch(self._delivery.scheduler, view)

    def edit(self, wanted: Mapping[tuple[int, int], Any], *, reach: int = REACH) -> Edit:
        """Put tiles at cells, and change as little as possible around them so that all fits.

        A tile's name means any of its patterns. Nothing farther than `reach` cells changes; what earlier
        edits asked for stays. Raises `Contradiction`, with the reason, if there is no way, and then nothing
        changes. With a store the edit is on the disk when this returns.
        """
        asked = read_wanted(self.rules, wanted, "edit")
        with self._log.writing:
            edit = self._settled(self._log, asked, require_integer("reach", reach))
            self._log.add(edit)
        return edit

    def undo(self) -> Edit:
        """Take the last edit back: every chunk is as it was before, byte for byte."""
        with self._log.writing:
            return self._log.undo()

    def redo(self) -> Edit:
        """Make the edit again that was taken back last."""
        with self._log.writing:
            return self._log.redo()

    @property
    def edits(self) -> list[dict[str, Any]]:
        """The edits that stand, oldest first, as plain data for JSON; `replay` makes them again."""
        with self._log.writing:
            return [edit.to_dict() for edit in self._log.edits[self._log.pinned : self._log.standing]]

    def replay(self, edits: Iterable[Any]) -> None:
        """Make edits of a log, as from `world.edits`, in this world: all of them or none.

        What was asked for is settled anew. In a world made alike that gives the same cells as before.
        """
        try:
            asked = list(edits)
        except TypeError:
            raise ConfigError(f"edits must be a list, as world.edits gives, not {edits!r:.80}") from None
        with self._log.writing:
            trial = self._log.copy()
            for number, told in enumerate(asked):
                edit = told if isinstance(told, Edit) else Edit.from_dict(told)
                try:
                    trial.add(self._settled(trial, edit.wanted, edit.reach))
                except WavefoldError as error:
                    raise WorldError(
                        f"edit number {number + 1} of the log cannot be made here: {error}"
                    ) from error
            self._log.become(trial.edits, trial.standing)

    def refresh(self) -> None:
        """Read the edits that another program wrote to the store since it was opened."""
        if self._file is not None:
            refresh_log(self, self._file)

    @property
    def store_report(self) -> StoreReport | None:
        """How many chunks were read from the store and written to it; None without a store."""
        return None if self._file is None else self._file.store.report

    def close(self) -> None:
        """End what runs in the background, and let the store go. The world can still be read."""
        self._delivery.scheduler.close()
        if self._file is not None:
            self._generator.chunk_store = None
            self._file.store.close()

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
            require_integer(name, value)
            for name, value in (("x0", x0), ("y0", y0), ("width", width), ("height", height))
        )
        if width < 1 or height < 1:
            raise ConfigError(f"a region of {width} x {height} cells is empty; both must be at least 1")
        if width * height > MOST_CELLS:
            raise ConfigError(f"a region of {width * height:,} cells is too large: at most {MOST_CELLS:,}")
        return self._read(self._log, x0, y0, width, height, progress)

    def _read(
        self,
        log: EditLog,
        x0: int,
        y0: int,
        width: int,
        height: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> NDArray[np.int32]:
        """A region with the edits of a log."""
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
            paste(region, x0, y0, self._generator.chunk(i, j), i * side, j * side)
        for (i, j), patches in zip(needed, log.overlay.on(needed), strict=True):
            if patches:
                chunk = log.overlay.over(self._generator.chunk(i, j), (i, j), patches)
                paste(region, x0, y0, chunk, i * side, j * side)
        return region

    def tile_at(self, x: int, y: int) -> str:
        """The full name of the pattern at a cell.

        A tile as it was drawn has its bare name, which as a wish means any of its patterns: to ask for
        exactly this one, as in `edit` or in pins, write `name@0`.
        """
        return self.rules.names[int(self.region(x, y, 1, 1)[0, 0])]

    def solution(
        self,
        x0: int,
        y0: int,
        width: int,
        height: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> Solution:
        """A region as a map: to draw, check or save. `solution.origin` says where it lies.

        `solution.values` are the names of tiles, [row, column]; of learned sets the colours.
        """
        patterns = self.region(x0, y0, width, height, progress).reshape(-1).astype(np.int64)
        problem = Problem(self.tiles, box(self.tiles.topology, width, height))
        return Solution(
            problem, patterns, Statistics(), self.seed, (require_integer("x0", x0), require_integer("y0", y0))
        )

    def image(self, x0: int, y0: int, width: int, height: int, **options: Any) -> Any:
        """A region as a Pillow image; the options are those of `solution.image`."""
        return find("renderer", "image")(self.solution(x0, y0, width, height), **options)

    def _settled(self, log: EditLog, wanted: Wanted, reach: int) -> Edit:
        """What an edit comes to, after those of a log."""

        def region(x: int, y: int, width: int, height: int) -> NDArray[np.int32]:
            return self._read(log, x, y, width, height)

        fields = None if self._generator.wishes is None else self._generator.wishes.at
        seed = mix(fold_seed(self.seed), log.standing)
        earlier = log.asked.within
        settled = settle(self.rules, region, wanted, earlier, reach=reach, seed=seed, fields=fields)
        return Edit(wanted, settled, reach)

    def _pin(self, wanted: Wanted) -> None:
        """Make the first edit, which stays; what lies farther away gives way only if it must."""
        first: WavefoldError | None = None
        for reach in (REACH, 2 * REACH, FARTHEST_REACH):
            try:
                self._log.add(self._settled(self._log, wanted, reach))
            except (Contradiction, WorldError) as error:
                first = first or error
                if is_final(error):
                    break
            except ConfigError:  # so much cannot be looked at
                if first is None:
                    raise
                break
            else:
                self._log.pinned = 1
                return
        raise WorldError(f"the pins cannot be met: {first}") from first

    def _attach(self) -> None:
        """Write to the store from now on, and read chunks from it."""
        self._log.sink = self._generator.chunk_store = self._file

    def _check_reach(self, x: int, y: int) -> None:
        if max(abs(x), abs(y)) > FARTHEST:
            raise ConfigError(f"({x}, {y}) is too far away: coordinates go up to 2**40 cells either way")


def require_integer(name: str, value: Any) -> int:
    """A whole number, or an error that names it."""
    number = parse_integer(value)
    if number is None:
        raise ConfigError(f"{name} must be a whole number, not {value!r}")
    return number
