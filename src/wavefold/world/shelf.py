"""A shelf for what was made: bounded, shared by threads, and nothing is made twice at once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

__all__ = ["Shelf"]

Thing = TypeVar("Thing")


class Shelf(Generic[Thing]):
    """Keeps the most recently used things, at most `room` of them."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.made = 0
        self.found = 0
        self._things: OrderedDict[Hashable, Thing] = OrderedDict()
        self._making: dict[Hashable, Future[Thing]] = {}
        self._lock = threading.Lock()

    def get(self, name: Hashable, make: Callable[[], Thing]) -> Thing:
        """What has this name; whoever asks first makes it, others wait for them."""
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
            self._things[name] = thing
            while len(self._things) > self.room:
                self._things.popitem(last=False)
            del self._making[name]
        future.set_result(thing)
        return thing

    def peek(self, name: Hashable) -> Thing | None:
        """What has this name, if it is here."""
        with self._lock:
            return self._things.get(name)

    def forget(self, names: Callable[[Hashable], bool] | None = None) -> None:
        """Drop everything, or what has such a name."""
        with self._lock:
            for name in [each for each in self._things if names is None or names(each)]:
                del self._things[name]
