"""One thread at a time, which any other may cancel."""

from __future__ import annotations

import threading

from wavefold.errors import WavefoldError


class Claim:
    """`with claim:` is around all that only one thread may do with a solver. A second one gets an error.

    is_cancelled : somebody wants the work under way to end
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()  # not held during the work. A handler of signals may cancel: reentrant
        self._is_claimed = False
        self.is_cancelled = False

    def __enter__(self) -> None:
        with self._lock:
            if self._is_claimed:
                raise WavefoldError(
                    "this solver is running already, in another thread or further up this call stack; "
                    "use one solver per thread, and do not call it from a listener"
                )
            self._is_claimed, self.is_cancelled = True, False

    def __exit__(self, *_error: object) -> None:
        with self._lock:
            self._is_claimed = self.is_cancelled = False

    def cancel(self) -> bool:
        """Have the work under way end. False if there is none: the next would end instead."""
        with self._lock:
            self.is_cancelled = self._is_claimed
            return self.is_cancelled
