"""Makes, changes and reads patchworks: one change of each at a time, stored before it is acknowledged."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from sqlite3 import Row
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from starlette.requests import Request

from wavefold.patchwork import LONGEST_PICTURE, Cell, Patchwork, Snapshot, draw_patchwork, find_plan
from wavefold.plugins import list_endings
from wavefold.render import make_canvas
from wavefold.solver import Solution
from wavefold.storage import BoundedCache, encode_image
from wavefold_server.patchworks.build import as_pairs, build_patchwork, check_grids
from wavefold_server.patchworks.models import (
    GridAnswer,
    PatchworkAnswer,
    PatchworkChange,
    PatchworkPage,
    PatchworkRequest,
    PatchworkSummary,
    PopulateRequest,
    RebuildRequest,
)
from wavefold_server.patchworks.store import PatchworkStore
from wavefold_server.problems import Problem, busy_problem, limit_problem
from wavefold_server.solves.results import (
    ResultFile,
    ResultOptions,
    check_pixels,
    choose_options,
    find_offered,
    split_ending,
    write_files,
)
from wavefold_server.turns import Turns

if TYPE_CHECKING:
    from wavefold_server.service import Service

Result = TypeVar("Result")
OPEN = 32  # patchworks in memory
SEEN_CELLS = 1 << 22  # of all maps that are read, in memory
CACHE_SHARE = 8  # of all memory for pictures, one part in so many is for those of patchworks
ATTEMPTS = 5  # to make a change, if a client that has left made one meanwhile
MOST_EXPANDABLE = 1_000


class PatchworkRevision(NamedTuple):
    """A patchwork at one revision, for reading. Of `patchwork` only what never changes is used."""

    revision: int
    patchwork: Patchwork
    seen: Snapshot


class Patchworks:
    """The patchworks of a server.

    A thread that changes one owns it: it is taken out of `_open`, changed, stored and put back. If
    anything fails before it is stored, that copy is dropped, and the next change begins with what is stored.
    Readers use copies of what was stored.
    """

    def __init__(self, service: Service) -> None:
        self._service, self._limits = service, service.limits
        self.store = PatchworkStore(service.database, service.limits.patchworks)
        service.tilesets.uses.append(self.store.find_use)
        self._turns = Turns()
        self._open: OrderedDict[str, tuple[int, Patchwork]] = OrderedDict()  # {id: (revision, patchwork)}
        self._lock = threading.Lock()
        self._revisions: dict[str, int] = {}  # of those that were changed since the server started
        self._views: BoundedCache[PatchworkRevision] = BoundedCache(
            SEEN_CELLS, lambda view: len(view.seen.patterns) + 1
        )
        room = self._limits.cache_bytes // CACHE_SHARE
        self._pictures: BoundedCache[bytes] = BoundedCache(room, len)

    # --- what there is --------------------------------------------------------------------------

    def create(self, body: PatchworkRequest) -> PatchworkAnswer:
        """Make a patchwork without grids and store it; for a thread."""
        tiles = self._service.tilesets.load(body.tileset)
        patchwork = build_patchwork(body, tiles, self._limits)
        name = self.store.add(body, patchwork)
        self._put_back(name, 0, patchwork)
        return self._find_new(name)

    def copy(self, name: str, draft: bool = False) -> PatchworkAnswer:
        """Store a second patchwork that is like this one, and changes without it; for a thread."""
        return self._find_new(self.store.copy(name, draft))

    def _find_new(self, name: str) -> PatchworkAnswer:
        """What a new patchwork is. If it is a draft, the oldest drafts that nobody changed lately go."""
        answer = self.find(name)
        drafts = self.store.list_drafts() if answer.draft else []
        for each in drafts[: -self._limits.patchwork_drafts]:
            if each not in self._open:
                with suppress(Problem):  # somebody else has removed it
                    self.delete(each)
        return answer

    def find(self, name: str) -> PatchworkAnswer:
        """What a patchwork is, and which grids it has."""
        row = self.store.find(name)
        keys = as_pairs(json.loads(row["grids"]))
        summary = summarize(row)
        plan = find_plan(row["topology"])(summary.radius)
        expandable = plan.surroundings(keys) or [(0, 0)]
        return PatchworkAnswer(
            **summary.model_dump(),
            topology=row["topology"],
            keys=list(map(list, keys)),
            expandable=list(map(list, expandable[:MOST_EXPANDABLE])),
        )

    def list_page(self, limit: int, before: int | None) -> PatchworkPage:
        """A page of patchworks, newest first."""
        rows = self.store.list_rows(limit + 1, before)
        following = rows[limit - 1]["number"] if len(rows) > limit else None
        return PatchworkPage(patchworks=[summarize(row) for row in rows[:limit]], next=following)

    def report(self, name: str) -> dict[str, Any]:
        """The effort of all grids."""
        row = self.store.find(name, "revision, report")
        return {"revision": row["revision"], **json.loads(row["report"])}

    def delete(self, name: str) -> None:
        """Remove a patchwork for good."""
        self.store.delete(name)
        with self._lock:
            self._open.pop(name, None)
            self._revisions.pop(name, None)

    # --- changes --------------------------------------------------------------------------------

    async def populate(self, name: str, body: PopulateRequest, request: Request) -> PatchworkChange:
        """Make grids: all of them are stored when this returns, or none."""
        keys = as_pairs(body.grids)

        def make(patchwork: Patchwork) -> list[Cell]:
            cells = find_plan(patchwork.tiles.topology).count_cells(patchwork.radius)
            check_grids(len(patchwork.grids) + len(keys), cells, self._limits)
            before = patchwork.patterns
            patchwork.populate_all(keys)
            return [cell for cell, pattern in patchwork.patterns.items() if before.get(cell) != pattern]

        return await self._change(name, make, body.revision, request)

    async def rebuild(self, name: str, body: RebuildRequest, request: Request) -> PatchworkChange:
        """Solve a disk again: it is stored when this returns."""
        (cell,) = as_pairs([body.cell])
        return await self._change(
            name, lambda patchwork: [*patchwork.rebuild(cell, body.radius)], body.revision, request
        )

    async def _change(
        self,
        name: str,
        make: Callable[[Patchwork], list[Cell]],
        expected: int | None,
        request: Request,
    ) -> PatchworkChange:
        """Change a patchwork in a thread, after those that asked before. `make` returns the changed cells."""
        async with self._turns.take(name, request):
            return await self._service.quick.run_for(request, lambda: self._change_now(name, make, expected))

    def _change_now(
        self, name: str, make: Callable[[Patchwork], list[Cell]], expected: int | None
    ) -> PatchworkChange:
        for _ in range(ATTEMPTS):
            revision, patchwork = self._take(name)
            check_revision(revision, expected)
            before = patchwork.snapshot()
            cells = make(patchwork)
            if self.store.change(name, revision, patchwork):
                answer = describe_change(revision + 1, patchwork, cells, before)
                self._service.metrics.backtracks.inc(sum(grid["backtracks"] for grid in answer.grids))
                self._put_back(name, revision + 1, patchwork)
                return answer
        raise busy_problem("others keep changing this patchwork", 1)

    def _take(self, name: str) -> tuple[int, Patchwork]:
        """A patchwork as it is stored, for this thread alone."""
        with self._lock:
            found = self._open.pop(name, None)
        if found is not None and self.store.find(name, "revision")["revision"] == found[0]:
            return found
        return self.store.load(name)

    def _put_back(self, name: str, revision: int, patchwork: Patchwork) -> None:
        """Leave a patchwork that is stored to the next change, and what it looks like to readers."""
        view = PatchworkRevision(revision, patchwork, patchwork.snapshot())
        self._views.get((name, revision), lambda: view)
        with self._lock:
            self._open[name] = revision, patchwork
            self._revisions[name] = max(revision, self._revisions.get(name, 0))
            while len(self._open) > OPEN:
                self._open.popitem(last=False)

    # --- reading --------------------------------------------------------------------------------

    async def read(self, name: str, request: Request, work: Callable[[], Result], *key: Any) -> Result:
        """Read a patchwork in a thread: once for all who ask for the same meanwhile, and at one revision."""
        whole = ("patchwork", name, self._revisions.get(name), *key)
        return await self._service.quick.run_for(request, work, whole)

    def view(self, name: str) -> PatchworkRevision:
        """A patchwork as it is stored; takes a while if it was not used lately."""
        revision = self.store.find(name, "revision")["revision"]
        return self._views.get((name, revision), lambda: self._load_view(name))

    def _load_view(self, name: str) -> PatchworkRevision:
        revision, patchwork = self.store.load(name)
        return PatchworkRevision(revision, patchwork, patchwork.snapshot())

    def read_grid(self, name: str, key: Cell) -> GridAnswer:
        """The cells of a grid."""
        view = self.view(name)
        if key not in view.seen.grids:
            raise Problem(404, f"grid {[*key]} is not populated", error="NotFound",
                          advice="The patchwork lists its grids; populate makes more.")  # fmt: skip
        cells, seen = view.patchwork.cells_of(key), view.seen
        inside = set(cells)
        return GridAnswer(
            revision=view.revision,
            key=list(key),
            cells=[[*cell, seen.patterns[cell]] for cell in cells],
            changed=[[*cell] for cell in seen.changed if cell in inside],
            dropped=[[*cell] for cell in seen.dropped if cell in inside],
        )

    def draw(self, name: str, options: dict[str, Any]) -> bytes:
        """The picture of a patchwork, as PNG; `options` are those of `Patchwork.image`."""
        view = self.view(name)
        key = (name, view.revision, *sorted(options.items()))
        return self._pictures.get(key, lambda: self._draw(view, options))

    def _draw(self, view: PatchworkRevision, options: dict[str, Any]) -> bytes:
        problem = self._solution(view).problem
        canvas = make_canvas(problem, options.get("tile_size"), longest=LONGEST_PICTURE)
        pixels = canvas.width * canvas.height
        if pixels > self._limits.pixels:
            detail = f"this takes {pixels:,} pixels; try a smaller tile_size"
            raise limit_problem("pixels", self._limits.pixels, detail)
        return encode_image(draw_patchwork(view.patchwork, seen=view.seen, **options))

    def export(self, name: str, ending: str, options: ResultOptions) -> ResultFile:
        """The map in a format of `solution.save`."""
        plain, _ = split_ending(ending)
        chosen = choose_options(find_offered(plain, list_endings("write")), options)
        solution = self._solution(self.view(name))
        check_pixels(self._service, solution.problem, plain, chosen)
        return write_files(self._service, ending, lambda path: solution.save(path, **chosen))

    def _solution(self, view: PatchworkRevision) -> Solution:
        return view.seen.solution(view.patchwork.tiles, view.patchwork.seed)


def summarize(row: Row) -> PatchworkSummary:
    """A row as the list shows it."""
    request = json.loads(row["request"])
    return PatchworkSummary(
        id=row["id"],
        **{name: request[name] for name in ("tileset", "seed", "radius", "join")},
        created=row["created"],
        revision=row["revision"],
        grids=len(json.loads(row["grids"])),
        cells=row["cells"],
        draft=request.get("draft", False),
    )


def describe_change(
    revision: int, patchwork: Patchwork, cells: list[Cell], before: Snapshot
) -> PatchworkChange:
    """The answer to a change."""
    patterns, known = patchwork.patterns, set(before.changed)
    return PatchworkChange(
        revision=revision,
        cells=[[*cell, patterns[cell]] for cell in cells],
        grids=[report.to_dict() for report in patchwork.report.grids[len(before.grids) :]],
        changed=[[*cell] for cell in patchwork.changed if cell not in known],
        dropped=[[*cell] for cell in patchwork.dropped],
        expandable=[[*key] for key in patchwork.expandable()[:MOST_EXPANDABLE]],
    )


def check_revision(revision: int, expected: int | None) -> None:
    """Raise a `Problem` if a patchwork is not at this revision."""
    if expected is not None and revision != expected:
        raise Problem(
            409,
            f"the patchwork is at revision {revision}, not {expected}",
            error="RevisionConflict",
            advice="Read the patchwork again, then send the change with the new revision.",
            revision=revision,
        )
