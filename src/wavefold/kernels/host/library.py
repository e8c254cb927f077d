"""Find, check and load the compiled library. Kernels are called through ctypes, without the GIL."""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from operator import index
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from wavefold.errors import InstallationError, describe_error
from wavefold.kernels.host.remedies import describe_remedy
from wavefold.kernels.host.sources import FOLDER, IS_CHECKOUT, checksum_of, is_library, parse_name
from wavefold.kernels.units import signature_of

Function = TypeVar("Function", bound=Callable[..., Any])

ENDING = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
NUMBER_TYPES = {"float64": ctypes.c_double}  # all other numbers are 64-bit integers

SCOPES: dict[str, dict[str, Any]] = {}  # {kernel: globals of its function}; `call` is the library's function


class Library(NamedTuple):
    """A loaded library and the description that it contains."""

    functions: ctypes.CDLL
    table: dict[str, Any]  # see `compile.module.describe_units`
    suffix: str  # of the symbols for this processor


@cache
def load_library() -> Library:
    """Load the library of this installation, for this processor; cached."""
    return open_library(find_library())


def find_library() -> Path:
    """Return the path of the library; in a checkout, build it if the sources have changed."""
    if IS_CHECKOUT:
        from wavefold.kernels.host.rebuild import find_current_library

        return find_current_library(ENDING)
    try:
        built: Any = import_module("wavefold.kernels._built")  # written into wheels
        path = FOLDER / built.LIBRARY
    except Exception as error:  # a damaged file may raise anything
        what = f"wavefold.kernels._built does not name the compiled library ({describe_error(error)})"
        raise InstallationError(f"{what}; {describe_remedy()}") from None
    if not is_library(path):
        raise InstallationError(f"{path} is not the name of a compiled library; {describe_remedy()}")
    return path


def open_library(path: Path) -> Library:
    """Load a library after checking its content, its sources and the processor."""
    remedy = describe_remedy()
    digest, checksum = parse_name(path)
    try:
        found = checksum_of(path.read_bytes())
        if found != checksum:
            raise InstallationError(f"{path} is damaged (its checksum is {found}); {remedy}")
        functions = ctypes.CDLL(str(path))
        table = json.loads(ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(functions, "wf_table"))))
    except FileNotFoundError:
        raise InstallationError(f"the compiled library {path} is missing; {remedy}") from None
    except (OSError, ValueError) as error:
        raise InstallationError(f"{path} is not a library for this system ({error}); {remedy}") from None
    if table["digest"] != digest:
        raise InstallationError(f"{path} was built from other sources; {remedy}")
    return Library(functions, table, choose_suffix(functions, table["processors"]))


def choose_suffix(functions: ctypes.CDLL, processors: list[str]) -> str:
    """Return the suffix of the symbols for the highest processor level that this processor supports."""
    if len(processors) == 1:
        return ""
    check = functions.wf_processor
    check.restype = ctypes.c_int64
    level = min(check(), len(processors))
    if level == 0:
        raise InstallationError(
            f"this processor is too old for the compiled library, which needs {processors[0]}; "
            "set WAVEFOLD_KERNELS=python to run without it, slowly"
        )
    return f"_{level - 1}" if level > 1 else ""


def bind(function: Function) -> Function:
    """Return the compiled kernel of a Python function; it raises TypeError for structs of other classes."""
    library, name = load_library(), function.__name__
    if name not in library.table["kernels"]:
        raise InstallationError(f"the compiled library has no kernel {name}; {describe_remedy()}")
    *taken, returned = signature_of(function)
    code: Any = function
    names = code.__code__.co_varnames[: len(taken)]
    called = library.functions[f"wf_{name}{library.suffix}"]
    called.argtypes = [NUMBER_TYPES.get(kind, ctypes.c_int64) for kind in taken]
    called.restype = ctypes.c_int64
    scope: dict[str, Any] = {"call": called, "index": index, "refuse": refuse}
    SCOPES[name] = scope
    checks, given = [], []
    for argument, kind in zip(names, taken, strict=True):
        if isinstance(kind, str):
            given.append(argument if kind == "float64" else f"index({argument})")
        else:
            scope[kind.__name__] = kind
            checks.append(
                f"if {argument}.__class__ is not {kind.__name__}: "
                f"refuse({name!r}, {argument!r}, {kind.__name__}, {argument})"
            )
            given.append(f"{argument}.address")
    call = f"call({', '.join(given)})"
    call = {"bool": f"return {call} != 0", "none": call}.get(returned, f"return {call}")
    # Generated code, because a loop over the arguments would take longer than most calls.
    exec(f"def {name}({', '.join(names)}):\n    " + "\n    ".join([*checks, call]), scope)
    return wraps(function)(scope[name])


def refuse(kernel: str, argument: str, needed: type, given: object) -> None:
    """Raise TypeError for an argument of another class."""
    raise TypeError(f"{kernel}: {argument} must be a {needed.__name__}, not {type(given).__name__}")
