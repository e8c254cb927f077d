"""Load the kernels after the start, in the background, so that the first request does not wait for them."""

from __future__ import annotations

import threading
from time import perf_counter

from wavefold.common.checkpoint import CancelToken, Stopped, checking
from wavefold.kernel_warmup import solve_common
from wavefold.kernels.jit import COMPILED
from wavefold.kernels.listeners import check_while_waiting
from wavefold.service.logs import log


class Warmup:
    """Solves a few small maps in a thread of its own; kernels that are not in the cache are compiled."""

    def __init__(self, is_wanted: bool) -> None:
        self._token = CancelToken()
        self._thread = threading.Thread(target=self._run, name="wavefold-warmup", daemon=True)
        self._is_wanted = is_wanted and COMPILED

    @property
    def is_running(self) -> bool:
        """Whether kernels are still being loaded."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin, if that is wanted."""
        if self._is_wanted:
            self._thread.start()

    def stop(self) -> None:
        """End at the next checkpoint; a compilation under way is not waited for."""
        self._token.cancel()

    def _run(self) -> None:
        began = perf_counter()
        try:
            with checking(self._token.check), check_while_waiting(self._token.check):
                solve_common()
        except Stopped:
            return
        except Exception:
            log.exception("kernels could not be loaded; the first requests will be slow")
        else:
            log.info("ready", extra={"fields": {"ms": round((perf_counter() - began) * 1e3)}})
