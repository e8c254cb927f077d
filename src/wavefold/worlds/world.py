"""Endless worlds, of which any chunk can be read in any order."""

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
from wavefold.worlds.edits.overlay import read_region
from wavefold.worlds.edits.revisions import Change
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
    """An endless map. `chunk(x, y)` depends only on these parameters and on the edits.

    Reading is thread-safe. Hexagons have axial coordinates: x is q, y is r.

    Parameters
    ----------
    tiles : a square or hexagonal tile set with a certificate: a small map that repeats over the plane
    seed : an integer of any size; equal seeds give equal worlds on every machine
    chunk : cells along the side of a chunk, 4 to 4,096
    pins : {(x, y): tile}; the first edit, which cannot be undone
    fields : values over the whole plane; limits of tiles are met where the rest of the world allows it
    store : the file of the world, new or existing; each edit is written immediately
    keep : the most chunks in the store, which are read instead of generated again
    refine : sweeps of each window after it is solved: a number, False, or "auto" for the number that suits
        the tile set; an existing store overrides "auto"
    shares : target shares of tiles, instead of those given by the weights
    network : roads that join every town, see `RoadNetwork`; all roads of the world belong to it
    constraints : local rules that hold everywhere, such as `Separation`, `MaxRun`, `Parallel` or `Room`
    radius, half_width : sizes of the windows where chunks meet, see `Plan`

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
            raise ConfigError(f"fields must be Fields, such as wf.Fields(height=...), not {fields!r:.80}")
        stored_chunks = parse_keep(keep)
        self.tiles, self.fields, self.network = tiles, fields, network
        self.seed = require_integer("seed", seed)
        self.constraints = parse_constraints(tiles, constraints)
        if network is not None and self.constraints:
            raise ConfigError("network= and constraints= cannot be combined")
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
        if refining is not None and network is None and not self.constraints:
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
        """Open the world in a file written by `save` or `store=`; edits are written to it immediately.

        readonly : write nothing, and do not allow edits
        recover : permanently drop damaged data: the first damaged edit and all later ones, or the pictures
        migrate : if the file is of an older version of wavefold, generate the world again from its seed,
            tiles and requested edits
        patience : seconds to wait while another program writes
        keep : the most chunks in the file
        tiles : replaces the tiles in the file, if their rules are equal; for other or damaged pictures
        """
        how = OpenOptions(readonly, recover, migrate, patience, keep, tiles)
        return open_world(cls, path, how.validate())

    def save(self, path: str | os.PathLike[str], chunks: Iterable[tuple[int, int]] = ()) -> None:
        """Write the world to a file, atomically; a world already in it is replaced.

        chunks : positions of chunks to store as well; all others are generated again when needed
        """
        try:
            positions = [read_cell(tuple(each), "chunks") for each in chunks]
        except TypeError:
            raise ConfigError(f"chunks must be positions [(x, y), ...], not {chunks!r:.80}") from None
        for cx, cy in positions:
            self.plan.check_chunk(cx, cy)
        save_world(self, path, positions)

    def refresh(self) -> None:
        """Read the edits that other programs wrote to the store since it was opened."""
        if self.parts.file is not None:
            refresh_log(self, self.parts.file)

    @property
    def store_report(self) -> StoreReport | None:
        """The number of chunks read from the store and written to it; None without a store."""
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
        """The rules of the tile set."""
        return self.tiles.rules

    @property
    def steps(self) -> NDArray[np.int32]:
        """int32 [direction, axis]: the step (dx, dy) to the neighbour in each direction."""
        return get_lattice_class(self.tiles.topology).steps

    @property
    def refine(self) -> int:
        """The number of sweeps that refine each window; 0: no refining."""
        return 0 if self.parts.refining is None else self.parts.refining.sweeps

    @property
    def report(self) -> WorldReport:
        """Counts of the windows generated so far, by outcome."""
        return self.parts.generator.report

    @property
    def budgets(self) -> BudgetManager:
        """Times of stages on this machine, and the results of calls with a budget."""
        return self.parts.delivery.manager

    def chunk(self, x: int, y: int, budget: Budget | None = None) -> ChunkArray:
        """Return the patterns of a chunk, int32 [row, column], read-only.

        The first cell is world cell (x * chunk, y * chunk). With a budget, such as `wf.Budget(ms=50)`, the
        chunk may be provisional (`.provisional`): its inside will change. If its borders are missing, the
        call raises `NotReady`. The work continues in the background until many other chunks are requested or
        another view is prefetched. Call again for the final chunk, which does not depend on the budget.
        """
        cx, cy = require_integer("x", x), require_integer("y", y)
        self.plan.check_chunk(cx, cy)
        ms = None if budget is None else parse_milliseconds(budget)
        return self.parts.delivery.final(cx, cy) if ms is None else self.parts.delivery.chunk(cx, cy, ms)

    def prefetch(self, x0: int, y0: int, width: int, height: int, margin: int = 1) -> Prefetch:
        """Generate the chunks of a view in the background, those near its middle first.

        Another call cancels chunks that the new view does not contain, including those requested with a
        budget. Chunks that do not fit in memory are skipped.

        x0, y0, width, height : the view, a rectangle of cells
        margin : how many chunks around the view are included
        """
        given = {"x0": x0, "y0": y0, "width": width, "height": height, "margin": margin}
        view = Viewport(*(require_integer(name, value) for name, value in given.items())).validate()
        reach = view.margin * self.plan.chunk
        check_distance(view.x0 - reach, view.y0 - reach)
        check_distance(view.x0 + view.width + reach, view.y0 + view.height + reach)
        return prefetch(self.parts.delivery.scheduler, view)

    def view(self, x0: int, y0: int, width: int, height: int) -> View:
        """Return the available cells of a rectangle without waiting, for example in every frame of a game.

        `view.patterns` is int32 [row, column], -1 for missing cells; `provisional` and `missing` mark
        cells that will change or are missing. Chunks that are not final are generated in the background,
        those in the middle first. The next view of a chunk raises errors of its generation.
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
        """Return the patterns of a rectangle, int32 [row, column]; its first cell is world cell (x0, y0).

        revision : the revision of the world to read (see `changes`); by default the current one
        """
        rectangle = parse_rectangle(x0, y0, width, height)
        if revision is not None:
            return read_revision(self.parts.generator, self.parts.log, rectangle, revision, progress)
        return read_region(self.parts.generator, self.parts.log.overlay, *rectangle, progress)

    def tile_at(self, x: int, y: int) -> str:
        """Return the full name of the pattern at a cell.

        The unrotated pattern of a tile has the name of the tile. In `edit` and pins, this name means any
        pattern of the tile; use `name@0` for exactly this one.
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
        """Return a rectangle as a map, to draw, check or save it; `solution.origin` is its first cell.

        `solution.values` are the tile names [row, column], or the colours of a learned set.
        """
        region = self.region(x0, y0, width, height, progress, revision=revision)
        patterns = region.reshape(-1).astype(np.int64)
        problem = Problem(self.tiles, make_box(self.tiles.topology, width, height), own_constraints=False)
        origin = require_integer("x0", x0), require_integer("y0", y0)
        return Solution(problem, patterns, Statistics(), self.seed, origin)

    def objects(self, x0: int, y0: int, width: int, height: int) -> list[PlacedObject]:
        """List the objects in a rectangle of cells, row by row.

        An object depends only on the seed and on the tile of its cell, so an edit changes only objects in the
        cells that it changes.
        """
        return self.solution(x0, y0, width, height).objects

    def towns(self, x0: int, y0: int, width: int, height: int) -> list[tuple[int, int]]:
        """List the towns of the network in a rectangle, as cells (x, y); empty without a network."""
        roads = self.parts.generator.roads
        return [] if roads is None else roads.plan.towns(*parse_rectangle(x0, y0, width, height))

    def image(self, x0: int, y0: int, width: int, height: int, **options: Unpack[DrawOptions]) -> Image.Image:
        """Draw a rectangle as a Pillow image; the options are those of `solution.image`."""
        return self.solution(x0, y0, width, height).image(**options)

    # --- edits ----------------------------------------------------------------------------------

    def edit(self, wanted: Mapping[tuple[int, int], TileLike], *, reach: int = EDIT_REACH) -> Edit:
        """Put tiles into cells, with as few other changes as possible.

        A tile name means any of its patterns. Cells farther away than `reach` do not change, and tiles
        requested by earlier edits stay. If the edit is impossible, raises `Contradiction` without any change.
        With a store, the edit is on disk when this returns.
        """
        requests = read_wanted(self.rules, wanted, "edit")
        return self.parts.editor.edit(requests, require_integer("reach", reach))

    def undo(self) -> Edit:
        """Undo the last edit; every chunk is restored exactly."""
        return self.parts.editor.undo()

    def redo(self) -> Edit:
        """Redo the edit that was undone last."""
        return self.parts.editor.redo()

    @property
    def edits(self) -> list[EditData]:
        """The applied edits, oldest first, as plain data for JSON; `replay` applies them again."""
        log = self.parts.log
        with holding(log.writing):
            return [edit.to_dict() for edit in log.edits[log.pinned : log.applied]]

    @property
    def revision(self) -> int:
        """The number of changes of the world; each edit, undo and redo adds 1.

        All edits of one call of `replay` count as one change. A world that replaces another one in a file
        continues from the revision of the file.
        """
        return self.parts.log.revisions.current

    @property
    def oldest_revision(self) -> int:
        """The oldest revision that can still be read."""
        return self.parts.log.revisions.oldest

    def changes(self, since: int) -> list[Change]:
        """List the changes after a revision, oldest first. A store saves each change with its edit.

        The last 1,024 changes are kept, or fewer if they are large. Raises `WorldError` if some of the
        requested changes are not kept, and `ConfigError` for a future revision.
        """
        return list(self.parts.log.revisions.since(since))

    def replay(self, edits: Iterable[Edit | Mapping[str, object]]) -> None:
        """Apply the edits of a log, such as `world.edits`, to this world: all of them or none.

        The cells around them are solved again. A world with the same parameters gets the same cells.
        """
        self.parts.editor.replay(edits)
