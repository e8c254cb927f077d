"""The endless world: any chunk, in any order, on any machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.common.checkpoint import holding
from wavefold.common.seeding import fold_seed
from wavefold.common.values import require_integer
from wavefold.errors import ConfigError
from wavefold.fields import Fields
from wavefold.fields.targets import FieldTargets
from wavefold.objects import PlacedObject
from wavefold.plugins import find_above
from wavefold.solver import Budget, Problem, Shares, Solution, Statistics
from wavefold.tiles import Rules, TileSet
from wavefold.topology import box, lattice_class
from wavefold.world.base import check_tiles, find_base
from wavefold.world.base_turn import BaseTurn
from wavefold.world.edits.edit import Edit, read_cell, read_wanted
from wavefold.world.edits.log import EditLog, Editor, read_revision
from wavefold.world.edits.overlay import read_region
from wavefold.world.edits.revisions import Change
from wavefold.world.edits.solve import REACH
from wavefold.world.generator import ChunkGenerator
from wavefold.world.persistence import (
    OpenOptions,
    WorldFile,
    create_or_join,
    find_stored_refining,
    open_world,
    parse_keep,
    refresh_log,
    save_world,
)
from wavefold.world.plan import Plan, check_distance, parse_rectangle
from wavefold.world.refined_base import find_base_turns, find_refined_base, resolve_refining
from wavefold.world.report import WorldReport
from wavefold.world.roads import RoadNetwork, find_roads
from wavefold.world.store.chunks import StoreReport
from wavefold.world.store.store import PATIENCE
from wavefold.world.streaming.budget import BudgetManager
from wavefold.world.streaming.delivery import ChunkArray, ChunkDelivery, parse_milliseconds
from wavefold.world.streaming.prefetch import Prefetch, Viewport, prefetch
from wavefold.world.streaming.view import View, read_view
from wavefold.world.world_constraints import (
    WindowConstraint,
    find_constrained_base,
    find_reach,
    parse_constraints,
)


class World:
    """An endless map. `chunk(x, y)` is a function of what is listed here and of the edits alone.

    Parameters
    ----------
    tiles : a square or hexagonal tile set that has a certificate: a small map that repeats over the plane
    seed : same seed, same world, on every machine; any whole number
    chunk : cells along the side of a chunk, 4 to 4,096
    pins : {(x, y): tile} that must be there: the first edit, made at once, which cannot be undone
    fields : values over the whole plane; limits of tiles are met as far as the rest of the world allows
    store : a file to save the world in from now on, or the one it is in already; edits are written at once
    keep : how many chunks the store may hold, to read them instead of generating them again
    refine : sweeps that refine each window after it was solved: a number, False, or "auto" for what suits the
        tile set; a store that exists already says it itself
    shares : how much of the world should be which tile, instead of what the weights say
    network : roads that join every town, see `RoadNetwork`; all roads of the world are part of it
    constraints : rules that hold everywhere, each about cells that are near each other, as `Separation`,
        `MaxRun`, `Parallel` or `Room`
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
        refine: Any = "auto",
        shares: Shares | None = None,
        network: RoadNetwork | None = None,
        constraints: Iterable[Any] = (),
        radius: int | None = None,
        half_width: int | None = None,
    ) -> None:
        check_tiles(tiles)
        if not isinstance(fields, Fields | None):
            raise ConfigError(f"fields must be a Fields, as from wf.Fields(height=...), not {fields!r:.80}")
        stored_chunks = parse_keep(keep)
        self.tiles, self.fields, self.network = tiles, fields, network
        self.seed = require_integer("seed", seed)
        self.constraints = parse_constraints(tiles, constraints)
        if network is not None and self.constraints:
            raise ConfigError("a world has a network or constraints, not both: a plan ignores constraints")
        reach = find_reach(tiles, self.constraints)
        self.plan = Plan.parse(chunk, radius, half_width, reach)
        self.certificate, plain = find_base(tiles)
        if self.constraints:
            plain = find_constrained_base(tiles, self.constraints, reach)
        if store is not None and isinstance(refine, str) and refine == "auto" and shares is None:
            found = find_stored_refining(store, tiles)
            refine = refine if found is None else found
        self._refining = resolve_refining(tiles, refine, shares)
        base: NDArray[Any] = plain[None]
        turns: tuple[BaseTurn, ...] = ()
        has_own_base = network is not None or self.constraints
        if self._refining is not None and not has_own_base:
            base = find_refined_base(tiles, self._refining)
            turns = find_base_turns(tiles, self._refining)
        side = self.plan.chunk
        targets = None if fields is None else FieldTargets(tiles, fields, box(tiles.topology, side, side))
        roads = find_roads(tiles, network, fold_seed(self.seed))
        ground = getattr(tiles, "ground_pattern", None)  # a plane has no bottom
        self._generator = ChunkGenerator(
            tiles.rules, base, self.plan, fold_seed(self.seed), targets, ground, self._refining, turns, roads,
            tuple(map(WindowConstraint, self.constraints)),
        )  # fmt: skip
        self._log = EditLog(side)
        self._editor = Editor(self._generator, self.seed, self._log)
        self._delivery = ChunkDelivery(self._generator, self._log.overlay)
        self._file: WorldFile | None = None
        if pins is not None:
            self._editor.pin(read_wanted(self.rules, pins, "pins"))
        if store is not None:
            create_or_join(self, store, stored_chunks)

    # --- files ----------------------------------------------------------------------------------

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
        recover : drop what is damaged, permanently: edits from the first damaged one on, or the pictures
        migrate : if an older wavefold made it, generate it again from seed, tiles and requests of edits
        patience : seconds to wait while another program writes
        keep : how many chunks the file may hold
        tiles : instead of those in the file, with the same rules; for other pictures, or if those are damaged
        """
        how = OpenOptions(readonly, recover, migrate, patience, keep, tiles)
        return open_world(cls, path, how.validate())

    def save(self, path: str | os.PathLike[str], chunks: Iterable[tuple[int, int]] = ()) -> None:
        """Write everything into one file, whole or not at all; a world that is in it is replaced.

        `chunks` are positions of chunks to store, too; all others are generated again when needed.
        """
        try:
            positions = [read_cell(tuple(each), "chunks") for each in chunks]
        except TypeError:
            raise ConfigError(f"chunks must be positions [(x, y), ...], not {chunks!r:.80}") from None
        for cx, cy in positions:
            self.plan.check_chunk(cx, cy)
        save_world(self, path, positions)

    def refresh(self) -> None:
        """Read the edits that another program wrote to the store since it was opened."""
        if self._file is not None:
            refresh_log(self, self._file)

    @property
    def store_report(self) -> StoreReport | None:
        """How many chunks were read from the store and written to it; None without a store."""
        return None if self._file is None else self._file.store.writer.report

    def close(self) -> None:
        """Stop background work and close the store. The world can still be read."""
        self._delivery.scheduler.close()
        if self._file is not None:
            self._generator.chunk_store = None
            self._file.store.close()

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- reading --------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"World({self.tiles!r}, seed {self.seed}, chunks of {self.plan.chunk} cells)"

    def _repr_html_(self) -> Any:
        return find_above("represent a world")(self)

    @property
    def rules(self) -> Rules:
        """Which patterns may touch."""
        return self.tiles.rules

    @property
    def steps(self) -> NDArray[np.int32]:
        """int32 [direction, axis]: the step (dx, dy) to each neighbour."""
        return lattice_class(self.tiles.topology).steps

    @property
    def refine(self) -> int:
        """How many sweeps refine each window; 0: none."""
        return 0 if self._refining is None else self._refining.sweeps

    @property
    def report(self) -> WorldReport:
        """What became of the windows generated so far."""
        return self._generator.report

    @property
    def budgets(self) -> BudgetManager:
        """How long things take on this machine, and how calls with a budget ended."""
        return self._delivery.manager

    def chunk(self, x: int, y: int, budget: Budget | None = None) -> ChunkArray:
        """int32 [row, column] of patterns; its first is world cell (x * chunk, y * chunk). Read-only.

        With `budget=wf.Budget(ms=50)` the answer comes in time: a chunk whose `provisional` says whether
        its inside will still change, or `NotReady` if not even its borders are there. The work goes on in
        the background until many other chunks were asked for, or a view elsewhere was prefetched; ask again
        for the final chunk, which is the same whatever the budget.
        """
        cx, cy = require_integer("x", x), require_integer("y", y)
        self.plan.check_chunk(cx, cy)
        ms = None if budget is None else parse_milliseconds(budget)
        return self._delivery.final(cx, cy) if ms is None else self._delivery.chunk(cx, cy, ms)

    def prefetch(self, x0: int, y0: int, width: int, height: int, margin: int = 1) -> Prefetch:
        """Generate the chunks of a view in the background, nearest to its middle first.

        The view is a rectangle of cells; `margin` chunks around it are included. Another call cancels what
        the new view does not need, also what was once asked for with a budget. No more is generated ahead
        than fits in memory.
        """
        given = {"x0": x0, "y0": y0, "width": width, "height": height, "margin": margin}
        view = Viewport(*(require_integer(name, value) for name, value in given.items())).validate()
        reach = view.margin * self.plan.chunk
        check_distance(view.x0 - reach, view.y0 - reach)
        check_distance(view.x0 + view.width + reach, view.y0 + view.height + reach)
        return prefetch(self._delivery.scheduler, view)

    def view(self, x0: int, y0: int, width: int, height: int) -> View:
        """What there is of a rectangle of cells at this moment, without waiting: for every frame of a game.

        `view.patterns` is int32 [row, column], -1 where nothing is there yet; `view.provisional` and
        `view.missing` say which cells will change or come. Chunks that are not final are requested, those
        in the middle first. An error in the background is raised by the next view of its chunk.
        """
        return read_view(self._delivery, Viewport(*parse_rectangle(x0, y0, width, height), margin=0))

    def region(
        self,
        x0: int,
        y0: int,
        width: int,
        height: int,
        progress: Callable[[int, int], None] | None = None,
        *,
        revision: int | None = None,
    ) -> NDArray[np.int32]:
        """int32 [row, column] of patterns; its cell (0, 0) is world cell (x0, y0).

        revision : as it was at this revision, instead of now (see `changes`)
        """
        rectangle = parse_rectangle(x0, y0, width, height)
        if revision is not None:
            return read_revision(self._generator, self._log, rectangle, revision, progress)
        return read_region(self._generator, self._log.overlay, *rectangle, progress)

    def tile_at(self, x: int, y: int) -> str:
        """The full name of the pattern at a cell.

        A tile as it was drawn has its bare name, which in `edit` or in pins means any of its patterns: to ask
        for exactly this one, write `name@0`.
        """
        return self.rules.names[int(self.region(x, y, 1, 1)[0, 0])]

    def solution(
        self,
        x0: int,
        y0: int,
        width: int,
        height: int,
        progress: Callable[[int, int], None] | None = None,
        *,
        revision: int | None = None,
    ) -> Solution:
        """A region as a map: to draw, check or save. `solution.origin` is its first cell.

        `solution.values` are the names of tiles, [row, column]; of learned sets the colours.
        """
        region = self.region(x0, y0, width, height, progress, revision=revision)
        patterns = region.reshape(-1).astype(np.int64)
        problem = Problem(self.tiles, box(self.tiles.topology, width, height), own_constraints=False)
        origin = require_integer("x0", x0), require_integer("y0", y0)
        return Solution(problem, patterns, Statistics(), self.seed, origin)

    def objects(self, x0: int, y0: int, width: int, height: int) -> list[PlacedObject]:
        """The objects that stand in a rectangle of cells, row by row; the same whatever was read before.

        They depend on the seed and on the tile of their own cell alone: an edit changes those of the cells
        that it changes.
        """
        return self.solution(x0, y0, width, height).objects

    def towns(self, x0: int, y0: int, width: int, height: int) -> list[tuple[int, int]]:
        """The cells (x, y) of a rectangle that are towns of the network; without one, there are none."""
        roads = self._generator.roads
        return [] if roads is None else roads.plan.towns(*parse_rectangle(x0, y0, width, height))

    def image(self, x0: int, y0: int, width: int, height: int, **options: Any) -> Any:
        """A region as a Pillow image; the options are those of `solution.image`."""
        return self.solution(x0, y0, width, height).image(**options)

    # --- edits ----------------------------------------------------------------------------------

    def edit(self, wanted: Mapping[tuple[int, int], Any], *, reach: int = REACH) -> Edit:
        """Put tiles at cells, and change as little as possible around them so that everything fits.

        A tile's name means any of its patterns. Nothing farther than `reach` cells changes; what earlier
        edits asked for stays. Raises `Contradiction`, with the reason, if there is no way, and then nothing
        changes. With a store the edit is on the disk when this returns.
        """
        requests = read_wanted(self.rules, wanted, "edit")
        return self._editor.edit(requests, require_integer("reach", reach))

    def undo(self) -> Edit:
        """Undo the last edit: every chunk is as it was before, byte for byte."""
        return self._editor.undo()

    def redo(self) -> Edit:
        """Make the edit again that was undone last."""
        return self._editor.redo()

    @property
    def edits(self) -> list[dict[str, Any]]:
        """The applied edits, oldest first, as plain data for JSON; `replay` makes them again."""
        with holding(self._log.writing):
            return [edit.to_dict() for edit in self._log.edits[self._log.pinned : self._log.applied]]

    @property
    def revision(self) -> int:
        """How often the world was changed: 0 without edits, and 1 more after each edit, undo and redo.

        Edits replayed by one call count as one change. A file has a revision of its own: a world that
        replaces another in it goes on from there.
        """
        return self._log.revisions.current

    @property
    def oldest_revision(self) -> int:
        """The oldest revision that can still be read."""
        return self._log.revisions.oldest

    def changes(self, since: int) -> list[Change]:
        """What changed after a revision, oldest first. A store saves each change together with its edit.

        The last 1,024 changes are known, fewer if they are large. Raises `WorldError` if some of those asked
        for are not, and `ConfigError` for a revision that is still to come.
        """
        return list(self._log.revisions.since(since))

    def replay(self, edits: Iterable[Any]) -> None:
        """Make edits of a log, as from `world.edits`, in this world: all of them or none.

        The cells around them are solved again. In a world made alike that gives the same cells as before.
        """
        self._editor.replay(edits)
