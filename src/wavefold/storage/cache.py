"""A bounded, thread-safe cache: no value is computed twice at once."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from wavefold.kernels.host.checkpoint import Stopped, wait_for

Thing = TypeVar("Thing")
OVERHEAD = 256  # bytes of an array object and its entry in a cache


def array_bytes(array: Any) -> int:
    """The memory that an array takes."""
    return int(array.nbytes) + OVERHEAD


def one(_: Any) -> int:
    """Every value counts as 1."""
    return 1


class BoundedCache(Generic[Thing]):
    """Keeps the most recently used values.

    room : limit on the total size; the latest value is always kept
    weigh : returns the size of a value; 1 by default, so that `room` counts values; `array_bytes` for arrays
    most : limit on the number of values, whatever their size
    """

    def __init__(self, room: int, weigh: Callable[[Thing], int] = one, most: int = sys.maxsize) -> None:
        self.room = room
        self.most = most
        self.made = 0
        self.found = 0
        self.taken = 0  # of the room
        self._weigh = weigh
        self._things: OrderedDict[Hashable, Thing] = OrderedDict()
        self._making: dict[Hashable, Future[Thing]] = {}
        self._lock = threading.Lock()

    def get(self, name: Hashable, make: Callable[[], Thing]) -> Thing:
        """The value of this name. The first caller computes it; other callers wait for the result."""
        with self._lock:
            if name in self._things:
                self._things.move_to_end(name)
                self.found += 1
                return self._things[name]
            future = self._making.get(name)
            mine = future is None
            if future is None:
                future = self._making[name] = Future()
        if not mine:
            wait_for(future)
            if isinstance(future.exception(), Stopped | KeyboardInterrupt):  # only that caller was stopped
                return self.get(name, make)
            return future.result()
        try:
            thing = make()
        except BaseException as error:
            with self._lock:
                del self._making[name]
            future.set_exception(error)
            raise
        with self._lock:
            self.made += 1
            del self._making[name]
            self._put(name, thing)
        future.set_result(thing)
        return thing

    def peek(self, name: Hashable) -> Thing | None:
        """The value of this name, or None if it is not cached."""
        with self._lock:
            return self._things.get(name)

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._things.clear()
            self.taken = 0

    def _put(self, name: Hashable, thing: Thing) -> None:
        self._things[name] = thing
        self.taken += self._weigh(thing)
        while (self.taken > self.room or len(self._things) > self.most) and len(self._things) > 1:
            _, oldest = self._things.popitem(last=False)
            self.taken -= self._weigh(oldest)
