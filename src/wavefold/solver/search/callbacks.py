"""Make functions of the user callable from compiled kernels."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from operator import index
from typing import Any

from wavefold.errors import ConfigError
from wavefold.kernels.constants import KEY_ADDRESS, RANDOM_ADDRESS, WEIGHT_ADDRESS
from wavefold.options.values import check_function

INT64 = ctypes.c_int64
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1


class Callbacks:
    """The functions of the user for the key of a cell, a weight, and 64 random bits; each may be None.

    addresses : {knob: address of its function}
    """

    def __init__(self, key: Any = None, choice: Any = None, random: Any = None) -> None:
        self.addresses: dict[int, int] = {}
        self._callbacks: list[Callback] = []
        functions = (
            ("order", KEY_ADDRESS, key, 4),
            ("choice", WEIGHT_ADDRESS, choice, 3),
            ("random", RANDOM_ADDRESS, random, 1),
        )
        for name, knob, function, arguments in functions:
            check_function(name, function)
            if function is not None:
                callback = Callback(function, arguments)
                self._callbacks.append(callback)
                self.addresses[knob] = callback.address

    def raise_error(self) -> None:
        """Raise the error that a function raised while kernels ran, if any."""
        for callback in self._callbacks:
            if callback.error is not None:
                error, callback.error = callback.error, None
                raise error


class Callback:
    """A C function of four int64 that calls a function of the user with the first few of them.

    A function compiled by Numba is called directly; a Python function takes the GIL for each call.

    address : the address of the C function
    error : the error that a Python function raised, or None. Kernels cannot raise, so the solver raises it at
        the next checkpoint; until then the function is not called again
    """

    def __init__(self, function: Callable[..., Any], arguments: int) -> None:
        self.error: BaseException | None = None
        numba = sys.modules.get("numba")  # loaded already if the function was compiled by Numba
        if numba is not None and numba.extending.is_jitted(function):
            self._function: Any = compile_callback(numba, function, arguments)
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


def compile_callback(numba: Any, function: Any, arguments: int) -> Any:
    """Wrap a function compiled by Numba in the signature that kernels call."""
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
