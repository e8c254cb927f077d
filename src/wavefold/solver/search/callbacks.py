"""Functions of the user, made callable from compiled kernels."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from operator import index
from typing import Any

from wavefold.errors import ConfigError
from wavefold.kernels.constants import KEY_ADDRESS, RANDOM_ADDRESS, WEIGHT_ADDRESS

INT64 = ctypes.c_int64
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1


class Callbacks:
    """The user's functions that kernels call, or None: for the key of a cell, a weight, 64 random bits.

    addresses : {knob: address of its function}
    """

    def __init__(self, key: Any = None, choice: Any = None, random: Any = None) -> None:
        self.addresses: dict[int, int] = {}
        self._callbacks: list[Callback] = []
        functions = ((KEY_ADDRESS, key, 4), (WEIGHT_ADDRESS, choice, 3), (RANDOM_ADDRESS, random, 1))
        for knob, function, arguments in functions:
            if function is not None:
                callback = Callback(function, arguments)
                self._callbacks.append(callback)
                self.addresses[knob] = callback.address

    def raise_error(self) -> None:
        """Raise what a function raised while kernels ran."""
        for callback in self._callbacks:
            if callback.error is not None:
                error, callback.error = callback.error, None
                raise error


class Callback:
    """A C function of four int64 that calls the user's function with the first few of them.

    address : of the C function, for kernels
    error : what a Python function raised, or None. Kernels cannot raise: the solver raises it at the next
        checkpoint. Until then the function is not called

    A function compiled by Numba is called directly; a Python function takes the GIL for each call.
    """

    def __init__(self, function: Callable[..., Any], arguments: int) -> None:
        if not callable(function):
            raise ConfigError(f"{function!r} is not a function")
        self.error: BaseException | None = None
        numba = sys.modules.get("numba")  # never imported here: a function compiled by it needs it anyway
        if numba is not None and numba.extending.is_jitted(function):
            self._function: Any = compiled_callback(numba, function, arguments)
            self.address = int(self._function.address)
            return

        def call(*numbers: int) -> int:
            if self.error is not None:
                return 0
            try:
                answer = index(function(*numbers[:arguments]))
                if HIGHEST < answer <= 2 * HIGHEST + 1:  # unsigned 64 bits, the output of random generators
                    answer -= 1 << 64
                if not LOWEST <= answer <= HIGHEST:
                    raise OverflowError(f"{function!r} returned {answer}, which does not fit 64 bits")
                return answer
            except BaseException as error:
                self.error = error
                return 0

        self._function = ctypes.CFUNCTYPE(INT64, INT64, INT64, INT64, INT64)(call)
        self.address = int(ctypes.cast(self._function, ctypes.c_void_p).value or 0)


def compiled_callback(numba: Any, function: Any, arguments: int) -> Any:
    """A function compiled by Numba, with the signature that kernels call."""
    signature = numba.types.int64(*[numba.types.int64] * 4)
    wrappers = {
        1: lambda a, b, c, d: function(a),
        3: lambda a, b, c, d: function(a, b, c),
        4: lambda a, b, c, d: function(a, b, c, d),  # noqa: PLW0108 - a dispatcher cannot be compiled by cfunc
    }
    try:
        return numba.cfunc(signature)(wrappers[arguments])
    except numba.core.errors.NumbaError as error:
        raise ConfigError(
            f"{function.py_func.__name__!r} must take {arguments} whole numbers and return one: {error}"
        ) from None
