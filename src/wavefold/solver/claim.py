"""One thread at a time, which any other may cancel."""

from __future__ import annotations

import threading

from wavefold.errors import WavefoldError


class Claim:
    """`with claim:` is around all that only one thread may do with a solver. A second one gets an error.

    is_cancelled : somebody wants the work under way to end
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.is_cancelled = False

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise WavefoldError(
                "this solver is running already, in another thread or further up this call stack; "
                "use one solver per thread, and do not call it from a listener"
            )

    def __exit__(self, *_error: object) -> None:
        self.is_cancelled = False
        self._lock.release()

    def cancel(self) -> bool:
        """Have the work under way end. False if there is none: the next would end instead."""
        if self._lock.locked():
            self.is_cancelled = True
        return self.is_cancelled
