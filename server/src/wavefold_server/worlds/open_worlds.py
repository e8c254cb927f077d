"""The worlds that are open: those used last, and never fewer than are in use."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from pathlib import Path

from wavefold.solver import Stopped, checkpoint
from wavefold.worlds import World

PATIENCE = 0.02  # seconds between checkpoints while another thread opens a world
FILES = ("", "-wal", "-shm", "-journal")  # beside each other


class OpenWorld:
    """A world in memory, and how many use it."""

    def __init__(self) -> None:
        self.world: Future[World] = Future()
        self.users = 0
        self.is_deleted = False
        self.editing = threading.Lock()  # held from reading the revision to the end of an edit

    @property
    def is_open(self) -> bool:
        """Whether it could be opened, and is."""
        return self.world.done() and self.world.exception() is None

    def close(self) -> None:
        """Close the world, if it is open."""
        if self.is_open:
            self.world.result().close()


class OpenWorlds:
    """Opens files when they are needed, and closes what was not used for long. Any thread may use it.

    open_file : opens the world with this name
    most : worlds that stay open though nobody uses them
    """

    def __init__(self, folder: Path, open_file: Callable[[Path], World], most: int) -> None:
        self.folder, self._open_file, self._most = folder, open_file, most
        self._worlds: OrderedDict[str, OpenWorld] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._worlds)

    def path(self, name: str) -> Path:
        """The file of a world; names are chosen by the server."""
        return self.folder / f"{name}.world"

    @contextmanager
    def use(self, name: str) -> Iterator[tuple[World, OpenWorld]]:
        """A world that stays open meanwhile."""
        entry, is_first = self._enter(name)
        try:
            if is_first:
                self._open(name, entry)
            while not entry.world.done():
                wait([entry.world], PATIENCE)
                checkpoint()
            is_lost = not is_first and isinstance(entry.world.exception(), Stopped)
            if not is_lost:
                yield entry.world.result(), entry
                return
        finally:
            self._leave(name, entry)
        with self.use(name) as found:  # whoever opened it was stopped
            yield found

    def add(self, name: str, world: World) -> None:
        """A new world, which is open already."""
        entry = OpenWorld()
        entry.world.set_result(world)
        with self._lock:
            self._worlds[name] = entry
        self._close_unused()

    def peek(self, name: str) -> World | None:
        """A world if it is open; it may be closed at any time, so only look at it."""
        entry = self._worlds.get(name)
        return entry.world.result() if entry is not None and entry.is_open else None

    def delete(self, name: str) -> None:
        """Close a world when its last user has left, and remove its files."""
        with self._lock:
            entry = self._worlds.pop(name, None)
            if entry is not None:
                entry.is_deleted = True
                if entry.users:
                    return
        if entry is not None:
            entry.close()
        self._remove_files(name)

    def close(self) -> None:
        """Close all worlds."""
        with self._lock:
            entries = list(self._worlds.values())
            self._worlds.clear()
        for entry in entries:
            entry.close()

    def _enter(self, name: str) -> tuple[OpenWorld, bool]:
        with self._lock:
            entry = self._worlds.get(name)
            is_first = entry is None
            if entry is None:
                entry = self._worlds[name] = OpenWorld()
            entry.users += 1
            self._worlds.move_to_end(name)
            return entry, is_first

    def _open(self, name: str, entry: OpenWorld) -> None:
        try:
            entry.world.set_result(self._open_file(self.path(name)))
        except BaseException as error:
            with self._lock:
                if self._worlds.get(name) is entry:
                    del self._worlds[name]
            entry.world.set_exception(error)

    def _leave(self, name: str, entry: OpenWorld) -> None:
        with self._lock:
            entry.users -= 1
            is_last = entry.is_deleted and not entry.users
        if is_last:
            entry.close()
            self._remove_files(name)
        self._close_unused()

    def _close_unused(self) -> None:
        """Close the worlds that were not used for longest, until few enough are open."""
        with self._lock:
            surplus = len(self._worlds) - self._most
            idle = [name for name, entry in self._worlds.items() if not entry.users][: max(0, surplus)]
            closing = [self._worlds.pop(name) for name in idle]
        for entry in closing:
            entry.close()

    def _remove_files(self, name: str) -> None:
        for ending in FILES:
            Path(f"{self.path(name)}{ending}").unlink(missing_ok=True)
