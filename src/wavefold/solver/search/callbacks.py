"""Functions of the user's, made callable from compiled kernels."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from operator import index
from typing import Any

import numba

from wavefold.errors import ConfigError
from wavefold.kernels.jit import COMPILED

WHOLE = ctypes.c_int64
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1


class Callback:
    """A C function of four whole numbers that calls the user's with the first few of them.

    A function compiled by Numba is called directly. A Python function takes the interpreter's lock for
    each call; if it raises, the error is kept here, `stop` is called, and the solver raises it again.
    """

    def __init__(self, function: Callable[..., Any], arguments: int, stop: Callable[[], None]) -> None:
        self.error: BaseException | None = None
        if COMPILED and isinstance(function, numba.core.dispatcher.Dispatcher):
            self._kept: Any = compiled_callback(function, arguments)
            self.address = int(self._kept.address)
            return

        def call(*numbers: int) -> int:
            if self.error is not None:
                return 0
            try:
                answer = index(function(*numbers[:arguments]))
                if HIGHEST < answer <= 2 * HIGHEST + 1:  # 64 bits without a sign, as generators give them
                    answer -= 1 << 64
                if not LOWEST <= answer <= HIGHEST:
                    raise OverflowError(f"{function!r} returned {answer}, which does not fit 64 bits")
                return answer
            except BaseException as error:
                self.error = error
                stop()
                return 0

        self._kept = ctypes.CFUNCTYPE(WHOLE, WHOLE, WHOLE, WHOLE, WHOLE)(call)
        self.address = int(ctypes.cast(self._kept, ctypes.c_void_p).value or 0)


def compiled_callback(function: Any, arguments: int) -> Any:
    """A compiled function behind the signature kernels call."""
    signature = numba.types.int64(*[numba.types.int64] * 4)
    wrappers = {
        1: lambda a, b, c, d: function(a),
        3: lambda a, b, c, d: function(a, b, c),
        4: lambda a, b, c, d: function(a, b, c, d),  # noqa: PLW0108 - another type than function
    }
    try:
        return numba.cfunc(signature)(wrappers[arguments])
    except numba.core.errors.NumbaError as error:
        raise ConfigError(
            f"{function.py_func.__name__!r} must take {arguments} whole numbers and return one: {error}"
        ) from None
