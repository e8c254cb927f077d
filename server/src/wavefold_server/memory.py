"""Memory that is free goes back to the system once a server has nothing to do."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from time import monotonic

QUIET_SECONDS = 3.0  # without new work


def release_memory() -> None:
    """Free what is in cycles, and give back what the allocator keeps, where that is possible (glibc)."""
    gc.collect()
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return
    trim(0)


class QuietTimes:
    """Notices when work has been done and none has begun for a while.

    count_work : how much work was begun so far
    """

    def __init__(self, count_work: Callable[[], int]) -> None:
        self._count_work = count_work
        self._seen = self._handled = count_work()
        self._since = monotonic()

    def has_begun(self) -> bool:
        """Whether a quiet time has just begun: once after each time with work. Ask regularly."""
        count, now = self._count_work(), monotonic()
        if count != self._seen:
            self._seen, self._since = count, now
        if self._seen == self._handled or now - self._since < QUIET_SECONDS:
            return False
        self._handled = self._seen
        return True
