"""The worlds of a server: rows in the database, files in the data folder, and the few that are open."""

from __future__ import annotations

import asyncio
import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from sqlite3 import Row
from time import time
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import Request

from wavefold.errors import WorldError
from wavefold.storage import is_damage
from wavefold.worlds import Change, TileAddress, World, no_change
from wavefold_server.pool import TimeLimit
from wavefold_server.problems import (
    Problem,
    damage_problem,
    find_storage_error,
    limit_problem,
    unknown,
)
from wavefold_server.turns import ConflictTurns, Turns, identify_client
from wavefold_server.worlds.build import build_edit, build_world_arguments
from wavefold_server.worlds.feed import ChangeFeed
from wavefold_server.worlds.field_tiles import summarize_fields
from wavefold_server.worlds.models import EditRequest, WorldAnswer, WorldPage, WorldRequest, WorldSummary
from wavefold_server.worlds.open_worlds import FILES, OpenWorld, OpenWorlds
from wavefold_server.worlds.tiles import EncodedTile, TileServer

if TYPE_CHECKING:
    from wavefold_server.service import Service

Result = TypeVar("Result")
TABLES = """
CREATE TABLE IF NOT EXISTS worlds (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, request TEXT NOT NULL,
    tileset TEXT NOT NULL, seed TEXT NOT NULL, chunk INTEGER NOT NULL, created REAL NOT NULL,
    row_digest BLOB, content_digest BLOB
);
"""
CONFLICT = "RevisionConflict"
DRAFT = "CASE WHEN json_valid(request) THEN coalesce(json_extract(request, '$.draft'), 0) ELSE 0 END"


class Worlds:
    """Creates, opens, edits and deletes worlds. Whatever takes long runs in the pool of quick work."""

    def __init__(self, service: Service) -> None:
        self._service, self._database, self._limits = service, service.database, service.limits
        self._database.create(TABLES)
        folder = service.settings.data / "worlds"
        folder.mkdir(exist_ok=True)
        self.open_worlds = OpenWorlds(folder, self._open, service.limits.open_worlds)
        self.tiles = TileServer(service)
        self.feed = ChangeFeed(service.stopping)
        service.tilesets.uses.append(self.find_use)
        self._turns, self._conflicts = Turns(), ConflictTurns()
        self._names = {row["id"] for row in self._database.read("SELECT id FROM worlds")}
        self._drafts = {row["id"] for row in self._database.read(f"SELECT id FROM worlds WHERE {DRAFT}")}
        self._remove_orphans(folder)

    async def start(self) -> None:
        """Nothing is left unfinished."""

    async def stop(self) -> None:
        """Close all files."""
        await asyncio.to_thread(self.open_worlds.close)

    # --- worlds ---------------------------------------------------------------------------------

    async def create(self, body: WorldRequest, request: Request) -> WorldAnswer:
        """Make a world and store it: it is there after a crash when this returns."""
        self._check_room(len(self._names))  # before a file is made; again when it is stored
        limit = TimeLimit("world_seconds", self._limits.world_seconds)
        return await self._service.quick.run_for(request, lambda: self._create(body), limit=limit)

    def _create(self, body: WorldRequest) -> WorldAnswer:
        tiles = self._service.tilesets.load(body.tileset)
        arguments = build_world_arguments(body, tiles, self._limits)
        name, world = secrets.token_hex(8), None
        path = self.open_worlds.path(name)
        row = (name, body.model_dump_json(), body.tileset, str(body.seed), body.chunk, time())
        try:
            world = World(tiles, store=path, keep=self._limits.world_chunks, **arguments)
            self._watch(world)
            self._store(row)
        except BaseException as error:
            if world is not None:
                world.close()
            remove_files(path)
            if isinstance(error, WorldError):
                raise conceal_path(error, path) from error
            raise
        self._names.add(name)
        self.open_worlds.add(name, world)
        if body.draft:
            self._drafts.add(name)
            self._remove_drafts()
        return self._describe(self._row(name), world)

    def _remove_drafts(self) -> None:
        """Remove the oldest drafts that nobody looks at: those who try things out do not fill the server."""
        rows = self._database.read(f"SELECT id FROM worlds WHERE {DRAFT} ORDER BY number")
        for row in rows[: -self._limits.world_drafts]:
            if not self.feed.has_readers(row["id"]):
                with suppress(Problem):  # somebody else has removed it
                    self.delete(row["id"])

    def _store(self, row: tuple[Any, ...]) -> None:
        with self._database.writing() as connection:
            (count,) = connection.execute("SELECT count(*) FROM worlds").fetchone()
            self._check_room(count)
            connection.execute(
                "INSERT INTO worlds (id, request, tileset, seed, chunk, created) VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )

    def _check_room(self, count: int) -> None:
        if count >= self._limits.worlds:
            detail = f"there are {count:,} worlds already; delete one first"
            raise limit_problem("worlds", self._limits.worlds, detail)

    def _keep_draft(self, name: str) -> None:
        """A draft that somebody edits is a draft no more."""
        if name in self._drafts:
            self._database.write("UPDATE worlds SET request = json_set(request, '$.draft', json('false')) "
                                 "WHERE id = ?", (name,))  # fmt: skip
            self._drafts.discard(name)

    def list(self, limit: int, before: int | None) -> WorldPage:
        """A page of intact worlds, newest first."""
        rows = self._database.read(
            f"SELECT *, {DRAFT} AS draft FROM intact_worlds WHERE number < ? ORDER BY number DESC LIMIT ?",
            (before if before is not None else 1 << 62, limit + 1),
        )
        following = rows[limit - 1]["number"] if len(rows) > limit else None
        return WorldPage(worlds=[WorldSummary(**summarize(row)) for row in rows[:limit]], next=following)

    async def find(self, name: str, request: Request) -> WorldAnswer:
        """A world, which is opened if need be: that may take as long as to create it."""
        limit = TimeLimit("world_seconds", self._limits.world_seconds)
        return await self.run(
            name, request, lambda world: self._describe(self._row(name), world), limit=limit
        )

    def find_request(self, name: str) -> WorldRequest:
        """The request that a world was created with."""
        return WorldRequest.model_validate_json(self._row(name)["request"])

    def delete(self, name: str) -> None:
        """Remove a world for good."""
        self.check(name)
        self._database.write("DELETE FROM worlds WHERE id = ?", (name,))
        self._names.discard(name)
        self._drafts.discard(name)
        self.tiles.forget(name)
        self._conflicts.forget(name)
        self.feed.announce(name)
        self.open_worlds.delete(name)

    def find_use(self, tileset: str) -> str | None:
        """A world that was made of a tile set, as a phrase; None if there is none."""
        row = self._database.read_one("SELECT id FROM worlds WHERE tileset = ? LIMIT 1", (tileset,))
        return None if row is None else f"the world {row['id']!r}"

    def check(self, name: str) -> None:
        """Raise a `Problem` if there is no such world."""
        if name not in self._names:
            raise unknown("world", name)

    # --- reading and editing --------------------------------------------------------------------

    async def run(
        self,
        name: str,
        request: Request,
        work: Callable[[World], Result],
        key: Any = None,
        limit: TimeLimit | None = None,
    ) -> Result:
        """Do something with an open world, in a thread, as long as the client waits."""
        self.check(name)

        def work_with_world() -> Result:
            with self.using(name) as (world, _):
                return work(world)

        return await self._service.quick.run_for(request, work_with_world, key, limit)

    async def draw_tile(
        self, name: str, tile: TileAddress, revision: int | None, budget: float | None, request: Request
    ) -> EncodedTile:
        """A map tile that is not encoded yet."""
        return await self.run(
            name,
            request,
            lambda world: self.tiles.draw(world, name, tile, revision, budget),
            ("tile", name, tile, revision, budget, self.revision_of(name)),
        )

    async def edit(self, name: str, body: EditRequest, expected: int | None, request: Request) -> Change:
        """Make an edit: it is on the disk when this returns."""

        def make(world: World) -> None:
            if cells := build_edit(body.cells, world):
                world.edit(cells, reach=body.reach)

        return await self.change(name, make, body.revision, expected, request)

    async def change(
        self,
        name: str,
        make: Callable[[World], Any],
        revision: int | None,
        expected: int | None,
        request: Request,
    ) -> Change:
        """Change a world if it is at the revision that the body, or the header If-Match, says."""
        self.check(name)

        def work() -> Change:
            with self.using(name) as (world, entry), entry.editing:
                check_revision(world, revision, 409)
                check_revision(world, expected, 412)
                before = world.revision
                make(world)
                if world.revision == before:  # there was nothing to restore
                    return no_change(before)
                self._keep_draft(name)
                self.tiles.read_changes(name, world)
                self.feed.announce(name)
                return world.changes(world.revision - 1)[0]

        client = identify_client(request)
        await self._conflicts.give_way(name, client)
        async with self._turns.take(name, request):
            try:
                change = await self._service.quick.run_for(request, work)
            except Problem as problem:
                if problem.error == CONFLICT:
                    self._conflicts.note_conflict(name, client)
                raise
            self._conflicts.note_change(name, client)
            return change

    @contextmanager
    def using(self, name: str) -> Iterator[tuple[World, OpenWorld]]:
        """An open world, for a thread. Errors do not say where on the server its file is."""
        try:
            with self.open_worlds.use(name) as found:
                yield found
        except (WorldError, sqlite3.DatabaseError) as error:
            if is_damage(find_storage_error(error)):
                raise damage_problem("world", name) from error
            if isinstance(error, WorldError):
                raise conceal_path(error, self.open_worlds.path(name)) from error
            raise

    def revision_of(self, name: str) -> int | None:
        """The revision of a world if it is known without opening it."""
        found = self.tiles.changes.get(name)
        return None if found is None else found.revision

    # --- files ----------------------------------------------------------------------------------

    def _open(self, path: Path) -> World:
        world = World.open(path, keep=self._limits.world_chunks)
        self._watch(world)
        return world

    def _watch(self, world: World) -> None:
        """Limit the memory of an open world, and count its chunks."""
        world.parts.generator.cache.room = max(1, self._limits.world_bytes // self._limits.open_worlds)
        world.parts.generator.on_chunk = self._service.metrics.chunk_seconds.observe

    def _row(self, name: str) -> Row:
        return self._database.find("world", "worlds", name, f"*, {DRAFT} AS draft")

    def _describe(self, row: Row, world: World) -> WorldAnswer:
        changes = self.tiles.read_changes(row["id"], world)
        return WorldAnswer(
            **summarize(row),
            revision=changes.revision,
            oldest_revision=changes.oldest,
            topology=world.tiles.topology,
            refine=world.refine,
            patterns=len(world.rules),
            settings=find_settings(row["request"]),
            radius=world.plan.radius,
            half_width=world.plan.half_width,
            joint=world.plan.joint,
            fields=summarize_fields(world.fields),
        )

    def _remove_orphans(self, folder: Path) -> None:
        """Remove files of worlds that were being created or deleted when the server was stopped."""
        if len(self._database.read("SELECT id FROM intact_worlds")) < len(self._names):
            return  # a name that is damaged may be that of a file
        for path in folder.iterdir():
            if path.name.partition(".")[0] not in self._names:
                path.unlink(missing_ok=True)


def summarize(row: Row) -> dict[str, Any]:
    """A row as the list of worlds shows it."""
    return {
        "id": row["id"],
        "tileset": row["tileset"],
        "seed": int(row["seed"]),
        "chunk": row["chunk"],
        "created": row["created"],
        "draft": row["draft"] == 1,
    }


def find_settings(request: str) -> dict[str, Any]:
    """What a stored request says that is not the default anyway."""
    defaults = WorldRequest(tileset="any").model_dump(mode="json")
    return {name: value for name, value in json.loads(request).items() if value != defaults.get(name)}


def check_revision(world: World, expected: int | None, status: int) -> None:
    """Raise a `Problem` if a world is not at this revision."""
    if expected is not None and world.revision != expected:
        raise Problem(
            status,
            f"the world is at revision {world.revision}, not {expected}",
            error=CONFLICT,
            advice="Read the changes since that revision, then send the edit again with the new one.",
            revision=world.revision,
        )


def conceal_path(error: WorldError, path: Path) -> WorldError:
    """The same error without the path of a file on the server."""
    return type(error)(str(error).replace(str(path), "the file of this world"))


def remove_files(path: Path) -> None:
    """Remove a world that was not finished."""
    for ending in FILES:
        Path(f"{path}{ending}").unlink(missing_ok=True)
