"""The endless world: any chunk, in any order, on any machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.fields import Fields
from wavefold.fields.targets import FieldTargets
from wavefold.kernels.host.checkpoint import holding
from wavefold.kernels.host.seeding import fold_seed
from wavefold.options.names import Sweeps, TileLike
from wavefold.options.values import require_integer
from wavefold.solver import Budget, Problem, Shares, Solution, Statistics
from wavefold.solver.constraint import ConstraintLike
from wavefold.solver.solution import DrawOptions
from wavefold.tiles import Rules, TileSet
from wavefold.tiles.objects import PlacedObject
from wavefold.topology import get_lattice_class, make_box
from wavefold.worlds.base import BaseTurn, check_tiles, find_base
from wavefold.worlds.edits.edit import Edit, EditData, read_cell, read_wanted
from wavefold.worlds.edits.log import EditLog, Editor, read_revision
from wavefold.worlds.edits.overlay import Change, read_region
from wavefold.worlds.edits.solve import EDIT_REACH
from wavefold.worlds.generator import ChunkGenerator
from wavefold.worlds.persistence import (
    OpenOptions,
    WorldParts,
    create_or_join,
    find_stored_refining,
    open_world,
    parse_keep,
    refresh_log,
    save_world,
)
from wavefold.worlds.plan import Plan, check_distance, parse_rectangle
from wavefold.worlds.refined_base import find_base_turns, find_refined_base, resolve_refining
from wavefold.worlds.report import WorldReport
from wavefold.worlds.roads import RoadNetwork, find_roads
from wavefold.worlds.store.store import PATIENCE, StoreReport
from wavefold.worlds.streaming.budget import BudgetManager
from wavefold.worlds.streaming.delivery import ChunkArray, ChunkDelivery, parse_milliseconds
from wavefold.worlds.streaming.prefetch import Prefetch, View, Viewport, prefetch, read_view
from wavefold.worlds.world_constraints import (
    WindowConstraint,
    find_constrained_base,
    find_reach,
    parse_constraints,
)

if TYPE_CHECKING:
    from PIL import Image


class World:
    """An endless map. `chunk(x, y)` is a function of these parameters and of the edits alone.

    Parameters
    ----------
    tiles : a square or hexagonal tile set that has a certificate: a small map that repeats over the plane
    seed : same seed, same world, on every machine; any whole number
    chunk : cells along the side of a chunk, 4 to 4,096
    pins : {(x, y): tile} that must be there: the first edit, made at once, which cannot be undone
    fields : values over the whole plane; limits of tiles are met where the rest of the world allows it
    store : a new file to save the world in, or its existing file; edits are written at once
    keep : how many chunks the store may hold, to read them instead of generating them again
    refine : sweeps for each window after it was solved: a number, False, or "auto" for the number that suits
        the tile set; an existing store overrides it
    shares : target shares of tiles, instead of those given by the weights
    network : roads that join every town, see `RoadNetwork`; all roads of the world are part of it
    constraints : rules that hold everywhere, each about cells near each other, such as `Separation`,
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
        pins: Mapping[tuple[int, int], TileLike] | None = None,
        fields: Fields | None = None,
        store: str | os.PathLike[str] | None = None,
        keep: int = 0,
        refine: Sweeps = "auto",
        shares: Shares | None = None,
        network: RoadNetwork | None = None,
        constraints: Iterable[ConstraintLike] = (),
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
            refine = refine if found is None else found  # type: ignore[assignment]
        refining = resolve_refining(tiles, refine, shares)
        base: NDArray[Any] = plain[None]
        turns: tuple[BaseTurn, ...] = ()
        has_own_base = network is not None or self.constraints
        if refining is not None and not has_own_base:
            base = find_refined_base(tiles, refining)
            turns = find_base_turns(tiles, refining)
        side = self.plan.chunk
        targets = (
            None if fields is None else FieldTargets(tiles, fields, make_box(tiles.topology, side, side))
        )
        roads = find_roads(tiles, network, fold_seed(self.seed))
        ground = getattr(tiles, "ground_pattern", None)  # a plane has no bottom
        generator = ChunkGenerator(
            tiles.rules, base, self.plan, fold_seed(self.seed), targets, ground, refining, turns, roads,
            tuple(map(WindowConstraint, self.constraints)),
        )  # fmt: skip
        log = EditLog(side)
        delivery = ChunkDelivery(generator, log.overlay)
        self.parts = WorldParts(generator, refining, log, Editor(generator, self.seed, log), delivery)
        if pins is not None:
            self.parts.editor.pin(read_wanted(self.rules, pins, "pins"))
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
        """Open the world in a file made by `save` or `store=`; edits are written to it at once.

        readonly : nothing is written, and the world cannot be edited
        recover : drop damaged data permanently: edits from the first damaged one on, or the pictures
        migrate : if an older wavefold made it, generate it again from seed, tiles and requests of edits
        patience : seconds to wait while another program writes
        keep : how many chunks the file may hold
        tiles : instead of those in the file, with the same rules; for other pictures, or if those are damaged
        """
        how = OpenOptions(readonly, recover, migrate, patience, keep, tiles)
        return open_world(cls, path, how.validate())

    def save(self, path: str | os.PathLike[str], chunks: Iterable[tuple[int, int]] = ()) -> None:
        """Write everything into one file, whole or not at all; a world already in it is replaced.

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
        if self.parts.file is not None:
            refresh_log(self, self.parts.file)

    @property
    def store_report(self) -> StoreReport | None:
        """How many chunks were read from the store and written to it; None without a store."""
        return None if self.parts.file is None else self.parts.file.store.writer.report

    def close(self) -> None:
        """Stop background work and close the store. The world can still be read."""
        self.parts.delivery.scheduler.close()
        if self.parts.file is not None:
            self.parts.generator.chunk_store = None
            self.parts.file.store.close()

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- reading --------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"World({self.tiles!r}, seed {self.seed}, chunks of {self.plan.chunk} cells)"

    def _repr_html_(self) -> str | None:
        from wavefold.worlds.picture import represent_world

        return represent_world(self)

    @property
    def rules(self) -> Rules:
        """Which patterns may touch."""
        return self.tiles.rules

    @property
    def steps(self) -> NDArray[np.int32]:
        """int32 [direction, axis]: the step (dx, dy) to each neighbour."""
        return get_lattice_class(self.tiles.topology).steps

    @property
    def refine(self) -> int:
        """How many sweeps refine each window; 0: none."""
        return 0 if self.parts.refining is None else self.parts.refining.sweeps

    @property
    def report(self) -> WorldReport:
        """The outcomes of the windows generated so far."""
        return self.parts.generator.report

    @property
    def budgets(self) -> BudgetManager:
        """Times of stages on this machine, and how calls with a budget ended."""
        return self.parts.delivery.manager

    def chunk(self, x: int, y: int, budget: Budget | None = None) -> ChunkArray:
        """int32 [row, column] of patterns; its first is world cell (x * chunk, y * chunk). Read-only.

        With `budget=wf.Budget(ms=50)` the call returns in time: a chunk whose `provisional` says whether its
        inside will still change, or `NotReady` is raised if its borders are missing. The work continues in
        the background until many other chunks are requested, or a view elsewhere is prefetched; call again
        for the final chunk, which is the same with any budget.
        """
        cx, cy = require_integer("x", x), require_integer("y", y)
        self.plan.check_chunk(cx, cy)
        ms = None if budget is None else parse_milliseconds(budget)
        return self.parts.delivery.final(cx, cy) if ms is None else self.parts.delivery.chunk(cx, cy, ms)

    def prefetch(self, x0: int, y0: int, width: int, height: int, margin: int = 1) -> Prefetch:
        """Generate the chunks of a view in the background, nearest to its middle first.

        The view is a rectangle of cells; `margin` chunks around it are included. Another call cancels chunks
        that the new view does not need, including those requested with a budget. Chunks that do not fit in
        memory are not generated ahead.
        """
        given = {"x0": x0, "y0": y0, "width": width, "height": height, "margin": margin}
        view = Viewport(*(require_integer(name, value) for name, value in given.items())).validate()
        reach = view.margin * self.plan.chunk
        check_distance(view.x0 - reach, view.y0 - reach)
        check_distance(view.x0 + view.width + reach, view.y0 + view.height + reach)
        return prefetch(self.parts.delivery.scheduler, view)

    def view(self, x0: int, y0: int, width: int, height: int) -> View:
        """The available cells of a rectangle, without waiting: for every frame of a game.

        `view.patterns` is int32 [row, column], -1 for missing cells; `provisional` and `missing` mark
        cells that will change or are missing. Chunks that are not final are requested, those in the middle
        first. An error in the background is raised by the next view of its chunk.
        """
        return read_view(self.parts.delivery, Viewport(*parse_rectangle(x0, y0, width, height), margin=0))

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

        revision : read the world at this revision (see `changes`)
        """
        rectangle = parse_rectangle(x0, y0, width, height)
        if revision is not None:
            return read_revision(self.parts.generator, self.parts.log, rectangle, revision, progress)
        return read_region(self.parts.generator, self.parts.log.overlay, *rectangle, progress)

    def tile_at(self, x: int, y: int) -> str:
        """The full name of the pattern at a cell.

        The unturned pattern of a tile has its bare name, which in `edit` or pins means any of its patterns:
        write `name@0` for exactly this one.
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
        problem = Problem(self.tiles, make_box(self.tiles.topology, width, height), own_constraints=False)
        origin = require_integer("x0", x0), require_integer("y0", y0)
        return Solution(problem, patterns, Statistics(), self.seed, origin)

    def objects(self, x0: int, y0: int, width: int, height: int) -> list[PlacedObject]:
        """The objects in a rectangle of cells, row by row; independent of what was read before.

        They depend only on the seed and on the tile of their own cell: an edit changes only objects of the
        cells that it changes.
        """
        return self.solution(x0, y0, width, height).objects

    def towns(self, x0: int, y0: int, width: int, height: int) -> list[tuple[int, int]]:
        """The cells (x, y) of a rectangle that are towns of the network; without one, there are none."""
        roads = self.parts.generator.roads
        return [] if roads is None else roads.plan.towns(*parse_rectangle(x0, y0, width, height))

    def image(self, x0: int, y0: int, width: int, height: int, **options: Unpack[DrawOptions]) -> Image.Image:
        """A region as a Pillow image; the options are those of `solution.image`."""
        return self.solution(x0, y0, width, height).image(**options)

    # --- edits ----------------------------------------------------------------------------------

    def edit(self, wanted: Mapping[tuple[int, int], TileLike], *, reach: int = EDIT_REACH) -> Edit:
        """Put tiles at cells, and change as little as possible around them so that everything fits.

        A tile's name means any of its patterns. Cells farther away than `reach` never change; tiles requested
        by earlier edits stay. Raises `Contradiction`, with the reason, if this is impossible; then nothing
        changes. With a store the edit is on the disk when this returns.
        """
        requests = read_wanted(self.rules, wanted, "edit")
        return self.parts.editor.edit(requests, require_integer("reach", reach))

    def undo(self) -> Edit:
        """Undo the last edit: every chunk is restored byte for byte."""
        return self.parts.editor.undo()

    def redo(self) -> Edit:
        """Redo the edit that was undone last."""
        return self.parts.editor.redo()

    @property
    def edits(self) -> list[EditData]:
        """The applied edits, oldest first, as plain data for JSON; `replay` makes them again."""
        with holding(self.parts.log.writing):
            return [
                edit.to_dict()
                for edit in self.parts.log.edits[self.parts.log.pinned : self.parts.log.applied]
            ]

    @property
    def revision(self) -> int:
        """The number of changes of the world: each edit, undo and redo adds 1.

        Edits replayed by one call count as one change. A file has its own revision: a world that replaces
        another in it continues from there.
        """
        return self.parts.log.revisions.current

    @property
    def oldest_revision(self) -> int:
        """The oldest revision that can still be read."""
        return self.parts.log.revisions.oldest

    def changes(self, since: int) -> list[Change]:
        """What changed after a revision, oldest first. A store saves each change together with its edit.

        The last 1,024 changes are kept, fewer if they are large. Raises `WorldError` if some of the requested
        changes are not kept, and `ConfigError` for a future revision.
        """
        return list(self.parts.log.revisions.since(since))

    def replay(self, edits: Iterable[Edit | Mapping[str, object]]) -> None:
        """Apply edits of a log, such as `world.edits`, to this world: all of them or none.

        The cells around them are solved again. In a world with the same parameters this gives the same cells.
        """
        self.parts.editor.replay(edits)
