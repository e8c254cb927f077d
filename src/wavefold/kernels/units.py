"""Units: the functions that are compiled one by one, and how they run.

A *kernel* is called from Python, a *part* only by kernels. Both take structs of arrays and numbers. All other
functions here are compiled into the units that call them. As written, they are plain Python:
`WAVEFOLD_KERNELS=python` runs them like that, for tests and for readers. By default, calls of kernels go to
the compiled library, and nothing else of this package runs.
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

UNITS: dict[str, Callable[..., Any]] = {}  # as written, by the symbol that they have in the library

SCALARS: dict[Any, str] = {int: "int64", bool: "bool", float: "float64", type(None): "none"}


def kernel(function: Function) -> Function:
    """Decorator of functions that Python calls."""
    UNITS[f"wf_{function.__name__}"] = function
    if not COMPILED:
        return function
    from wavefold.kernels.host.library import bind

    return bind(function)


def kernel_part(function: Function) -> Function:
    """Decorator of large functions that kernels call: compiled once, not once for each caller."""
    module = function.__module__.removeprefix("wavefold.kernels.").replace(".", "_")
    UNITS[f"part_{module}_{function.__name__}"] = function
    return function


def signature_of(function: Callable[..., Any]) -> list[Any]:
    """What a unit takes and, last, returns: classes of structs, or names of numbers."""
    return [SCALARS.get(hint, hint) for hint in get_type_hints(function).values()]
