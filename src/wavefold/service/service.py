"""The parts of one running server, and what they share."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated, Protocol

from fastapi import Depends, Request

from wavefold.service.database import Database, FolderLock
from wavefold.service.keys import ApiKeys
from wavefold.service.metrics import Metrics
from wavefold.service.pool import WorkPool
from wavefold.service.settings import ServiceSettings
from wavefold.service.solves.solves import Solves
from wavefold.service.tilesets.library import TileSetLibrary


class Part(Protocol):
    """A part of the service that has something to do at its beginning and at its end."""

    async def start(self) -> None:
        """Continue what a previous server left unfinished. Runs in the event loop, before any request."""

    async def stop(self) -> None:
        """End gracefully: what is unfinished is in the database."""


class Service:
    """What the routes work with. Made when a server starts, closed when it ends.

    quick : threads for whatever a client waits for
    jobs : threads for work in the background, fewer, so that it never takes all of the machine
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
            self.quick = WorkPool("quick", settings.workers, limits.queue, limits.quick_seconds)
            stack.callback(self.quick.close)
            background = max(1, settings.workers // 2)
            self.jobs = WorkPool("job", background, limits.jobs, limits.job_seconds)
            stack.callback(self.jobs.close)
            for pool in (self.quick, self.jobs):
                self.metrics.watch_queue(pool.name, lambda pool=pool: pool.length)  # type: ignore[misc]
            self.tilesets = TileSetLibrary(self)
            self.solves = Solves(self)
            self.parts: tuple[Part, ...] = (self.solves,)
            self._stack = stack.pop_all()

    async def start(self) -> None:
        """Begin; requests are answered afterwards."""
        for part in self.parts:
            await part.start()

    async def stop(self) -> None:
        """End all parts, then close threads, database and lock."""
        for part in reversed(self.parts):
            await part.stop()
        self._stack.close()


def get_service(request: Request) -> Service:
    """The service that a request is for; for `Depends`."""
    service: Service = request.app.state.service
    return service


RunningService = Annotated[Service, Depends(get_service)]  # as a parameter of a route
