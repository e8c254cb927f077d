"""The parts of one running server, and what they share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from typing import Annotated, Protocol

from fastapi import Depends, Request

from wavefold.errors import ConfigError
from wavefold_server.database import Database, FolderLock
from wavefold_server.drafts.drafts import Drafts
from wavefold_server.keys import ApiKeys, KeyCheck
from wavefold_server.live.sessions import LiveSessions
from wavefold_server.metrics import Metrics
from wavefold_server.patchworks.patchworks import Patchworks
from wavefold_server.pool import WorkPool
from wavefold_server.settings import ServiceSettings
from wavefold_server.solves.solves import Solves
from wavefold_server.tilesets.library import TileSetLibrary
from wavefold_server.tilesets.upload import Uploads
from wavefold_server.tilesets.views import TileSetViews
from wavefold_server.transfer import BodyRoom
from wavefold_server.worlds.worlds import Worlds

WAITING_AUDITS = 2  # clients wait for them, so the line is short


class ServicePart(Protocol):
    """A part of the service that has something to do at its beginning and at its end."""

    async def start(self) -> None:
        """Continue what a previous server left unfinished. Runs in the event loop, before any request."""

    async def stop(self) -> None:
        """End gracefully: what is unfinished is in the database."""


class Service:
    """What the routes work with. Made when a server starts, closed when it ends.

    quick : threads for whatever a client waits for
    jobs : threads for work in the background, fewer, so that it never takes all of the machine
    audits : one thread for audits, which may take as long as jobs but do not wait for them
    parsing : one thread for long JSON. Python runs nothing else meanwhile, for some milliseconds each time
    receiving : one thread for uploads, each of which may take hundreds of megabytes, or stop other threads
    body_room : memory for the bodies of requests
    stopping : set when the server is about to stop: new work is refused, and streams should end
    running : requests that are being answered
    count_connections : how many connections are open; set by whoever runs the server
    """

    def __init__(self, settings: ServiceSettings) -> None:
        self.settings, self.limits = settings, settings.limits
        with ExitStack() as stack:
            self.database = Database(settings.data)
            stack.callback(self.database.close)
            self._lock = FolderLock(settings.data)
            stack.callback(self._lock.close)
            self.metrics, limits = Metrics(), settings.limits
            self.keys = ApiKeys(self.database)
            self._check_exposure()
            self.key_check = KeyCheck(self.database, settings.needs_keys)
            stack.callback(self.key_check.close)
            self.stopping, self.running = asyncio.Event(), 0
            self.count_connections: Callable[[], int] = lambda: 0
            self.metrics.watch("wavefold_requests_running", "Requests being answered", lambda: self.running)
            self.metrics.watch("wavefold_connections", "Open connections", self._count_connections)
            self.quick = WorkPool("quick", settings.workers, limits.queue, limits.quick_seconds)
            stack.callback(self.quick.close)
            background = max(1, settings.workers // 2)
            self.jobs = WorkPool("job", background, limits.jobs, limits.job_seconds)
            stack.callback(self.jobs.close)
            self.audits = WorkPool("audit", 1, WAITING_AUDITS, limits.job_seconds)
            stack.callback(self.audits.close)
            self.parsing = WorkPool("parsing", 1, limits.queue, limits.quick_seconds)
            stack.callback(self.parsing.close)
            self.receiving = WorkPool("receiving", 1, limits.queue, limits.quick_seconds)
            stack.callback(self.receiving.close)
            self.pools = (self.quick, self.jobs, self.audits, self.parsing, self.receiving)
            for pool in self.pools:
                self.metrics.watch_queue(pool.name, lambda pool=pool: pool.length)  # type: ignore[misc]
            self.body_room = BodyRoom(limits)
            self.tilesets = TileSetLibrary(self)
            self.tile_views, self.uploads = TileSetViews(self), Uploads(self)
            self.drafts = Drafts(self)
            self.solves = Solves(self)
            self.worlds, self.patchworks = Worlds(self), Patchworks(self)
            self.live = LiveSessions(self)
            self.metrics.watch(
                "wavefold_open_worlds", "Worlds in memory", lambda: len(self.worlds.open_worlds)
            )
            self.parts: tuple[ServicePart, ...] = (self.solves, self.worlds)
            self._stack = stack.pop_all()

    def count_work(self) -> int:
        """How much work was begun so far."""
        return sum(pool.begun for pool in self.pools)

    @property
    def is_working(self) -> bool:
        """Whether any work waits or runs."""
        return any(pool.length for pool in self.pools)

    def _count_connections(self) -> int:
        return self.count_connections()

    def _check_exposure(self) -> None:
        """Without API keys, only programs on this machine may connect."""
        settings = self.settings
        if self.keys.exist or not settings.require_keys:
            return
        if settings.needs_keys:
            raise ConfigError(
                f"without API keys the server only listens on 127.0.0.1, not on {settings.host}: make a key "
                f"with `wavefold keys create NAME --data {settings.data}`, or leave out --host"
            )
        if "*" in settings.origins:
            raise ConfigError(
                "--allow-origin '*' lets every web site use this server: name the sites, or make a key with "
                f"`wavefold keys create NAME --data {settings.data}`"
            )

    async def start(self) -> None:
        """Begin; requests are answered afterwards."""
        for part in self.parts:
            await part.start()

    async def stop(self) -> None:
        """End all parts, then close threads, database and lock."""
        for part in reversed(self.parts):
            await part.stop()
        self._stack.close()


async def get_service(request: Request) -> Service:
    """The service that a request is for; for `Depends`. A plain function would be called in a thread."""
    service: Service = request.app.state.service
    return service


RunningService = Annotated[Service, Depends(get_service)]  # as a parameter of a route
