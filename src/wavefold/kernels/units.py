"""Units: the functions that are compiled separately, and the back end that runs them.

A *kernel* is called from Python; a *part* is called only by kernels. Both take structs of arrays and numbers.
All other functions of this package are compiled into the units that call them. With
`WAVEFOLD_KERNELS=python`, units run as the plain Python functions that they are written as, for tests and for
debugging. By default, calls of kernels go to the compiled library.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

from wavefold.errors import ConfigError

Function = TypeVar("Function", bound=Callable[..., Any])

BACK_ENDS = ("compiled", "python")
BACK_END = os.environ.get("WAVEFOLD_KERNELS") or "compiled"
if BACK_END not in BACK_ENDS:
    raise ConfigError(f"WAVEFOLD_KERNELS must be {' or '.join(BACK_ENDS)}, not {BACK_END!r}")
COMPILED = BACK_END == "compiled"

UNITS: dict[str, Callable[..., Any]] = {}  # {symbol in the library: Python function}

SCALARS: dict[Any, str] = {int: "int64", bool: "bool", float: "float64", type(None): "none"}


def kernel(function: Function) -> Function:
    """Register a function that Python calls. Return the compiled function, if it is used."""
    UNITS[f"wf_{function.__name__}"] = function
    if not COMPILED:
        return function
    from wavefold.kernels.host.library import bind

    return bind(function)


def kernel_part(function: Function) -> Function:
    """Register a large function that kernels call, so that it is compiled once, not once per caller."""
    module = function.__module__.removeprefix("wavefold.kernels.").replace(".", "_")
    UNITS[f"part_{module}_{function.__name__}"] = function
    return function


def signature_of(function: Callable[..., Any]) -> list[Any]:
    """Return the types of the parameters of a unit and of its result: struct classes or names of numbers."""
    return [SCALARS.get(hint, hint) for hint in get_type_hints(function).values()]
