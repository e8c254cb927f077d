"""Compilation of units to LLVM code.

Each unit is compiled separately, as a C function of addresses and numbers, and units call each other by
symbol. Otherwise Numba would copy each function into all of its direct and indirect callers.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from inspect import Parameter, Signature, signature
from multiprocessing import get_context, parent_process
from threading import Thread
from types import FunctionType
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from wavefold import kernels
from wavefold.kernels.compile.instructions import OPTIONS, REPLACEMENTS, WHOLE, declare
from wavefold.kernels.compile.struct_types import struct_type
from wavefold.kernels.host.sources import FOLDER, list_sources
from wavefold.kernels.units import UNITS, signature_of

NUMBERS = {"int64": types.int64, "bool": types.boolean, "float64": types.float64}
IR_NUMBERS = {"float64": ir.DoubleType()}  # all other arguments are passed as int64
SLOWEST = (
    "wf_advance",
    "part_constraints_networks_check_networks",
)  # compiled first, so that no process waits for them at the end

NAME = re.compile(r'@(?:"([^"]+)"|([\w.$]+))')
ABI_TAG = re.compile(r"B\d+v\d+(?=B|E|\d|\$)")  # Numba's counter of functions compiled in this process
PYTHON_OBJECT = re.compile(r"@numba\.dynamic\.globals\.[\w.]+")

_named: dict[str, str] = {}  # {symbol without the counter: symbol}


def compile_units(processes: int, tested: bool = False) -> dict[str, str]:
    """Return {symbol: LLVM code} of all units. Call `load_units` first."""
    symbols = sorted(UNITS, key=lambda symbol: (symbol not in SLOWEST, symbol))
    if processes == 1:
        texts = [compile_unit(symbol, tested) for symbol in symbols]
    else:
        with open_pool(processes) as pool:
            texts = list(pool.map(compile_unit, symbols, [tested] * len(symbols)))
    return dict(sorted(zip(symbols, texts, strict=True)))


def open_pool(processes: int) -> ProcessPoolExecutor:
    """Return a pool of processes, forked on Linux, so that Numba and the kernels are imported only once."""
    context = get_context("fork" if sys.platform == "linux" else "spawn")
    return ProcessPoolExecutor(processes, mp_context=context, initializer=end_with_parent)


def end_with_parent() -> None:
    """End this process when its parent ends, so that it does not keep the lock of a killed parent."""
    parent: Any = parent_process()

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


@cache
def load_units(tested: bool) -> None:
    """Import all kernels in this process and replace their functions with compiled forms."""
    paths = [path.relative_to(FOLDER).with_suffix("") for path in list_sources()]
    names = [".".join(path.parts) for path in paths if path.parts[0] != "compile" and path.stem != "__init__"]
    modules = [importlib.import_module(f"{kernels.__name__}.{name}") for name in names]
    if tested:
        modules.append(importlib.import_module("wavefold.kernels.compile.probes"))
    calls = {function: call_unit(symbol, function) for symbol, function in UNITS.items()}
    for module in modules:
        for name, value in list(vars(module).items()):
            if isinstance(value, FunctionType) and value.__module__.startswith(kernels.__name__):
                setattr(module, name, calls.get(value) or get_compiled(value))


@cache
def get_compiled(function: Callable[..., Any]) -> Any:
    """Return the function that compiled code calls in place of a function that is not a unit."""
    return REPLACEMENTS.get(function) or numba.njit(function, **OPTIONS)


def call_unit(symbol: str, function: Callable[..., Any]) -> Any:
    """Return an intrinsic that calls a unit by its symbol."""
    *taken, returned = signature_of(function)

    def build(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        passed = [pass_value(builder, kind, value) for kind, value in zip(taken, given, strict=True)]
        target = declare(builder, symbol, WHOLE, [IR_NUMBERS.get(kind, WHOLE) for kind in taken])
        result = builder.call(target, passed)
        return builder.trunc(result, ir.IntType(1)) if returned == "bool" else result

    def type_call(_typing: Any, *_given: Any) -> Any:
        result = types.boolean if returned == "bool" else types.int64
        return result(*[numba_type(kind) for kind in taken]), build

    names = ("_typing", *signature(function).parameters)
    type_call.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    )
    return intrinsic(type_call)


def pass_value(builder: Any, kind: Any, value: Any) -> Any:
    """Convert a value to an argument of a unit: an address or a number."""
    if kind == "bool":
        return builder.zext(value, WHOLE)
    return value if kind in NUMBERS else builder.ptrtoint(value, WHOLE)


def numba_type(kind: Any) -> Any:
    """Return the Numba type of a parameter of a unit."""
    return NUMBERS.get(kind) if isinstance(kind, str) else struct_type(kind)


def compile_unit(symbol: str, tested: bool = False) -> str:
    """Return the LLVM code of a unit. Its symbols do not depend on what the process compiled before."""
    load_units(tested)
    function = UNITS[symbol]
    try:
        entry = wrap_unit(symbol, function)
    except Exception as error:  # errors inside Numba can have any class
        code = function.__code__
        place = f"{code.co_filename}, line {code.co_firstlineno}: {function.__name__}"
        raise RuntimeError(f"{place} cannot be compiled ({find_cause(error)})") from error
    text = entry.inspect_llvm().replace(entry.native_name, symbol)
    for name in {quoted or plain for quoted, plain in NAME.findall(text)}:
        if _named.setdefault(short := ABI_TAG.sub("", name), name) != name:
            raise RuntimeError(f"two functions have the symbol {short}")
    text = NAME.sub(lambda match: ABI_TAG.sub("", match[0]), text)
    # Numba stores addresses of Python objects for exceptions, which kernels never raise.
    text = re.sub(rf"^({PYTHON_OBJECT.pattern} = ).*$", r"\1linkonce global ptr null", text, flags=re.M)
    objects: dict[str, int] = {}
    return PYTHON_OBJECT.sub(
        lambda match: f"@python.object.{objects.setdefault(match[0], len(objects))}", text
    )


def find_cause(error: Exception) -> str:
    """Return the cause of an error in one line, without the failed steps that Numba lists first."""
    lines = [line for line in str(error).splitlines() if line and not line.startswith("Failed in ")]
    return ": ".join([type(error).__name__, *lines[:1]])


def wrap_unit(symbol: str, function: Callable[..., Any]) -> Any:
    """Compile a unit to a C function of addresses and numbers that returns an integer."""
    *taken, returned = signature_of(function)
    names = list(signature(function).parameters)
    scope: dict[str, Any] = {"unit": get_compiled(function), "int64": types.int64}
    given = []
    for name, kind in zip(names, taken, strict=True):
        if isinstance(kind, str):
            given.append(f"{name} != 0" if kind == "bool" else name)
        else:
            scope[f"as_{name}"] = cast_address(struct_type(kind))
            given.append(f"as_{name}({name})")
    call = f"unit({', '.join(given)})"
    body = f"{call}\n    return 0" if returned == "none" else f"return int64({call})"
    exec(f"def {symbol}({', '.join(names)}):\n    {body}", scope)
    kinds = [types.float64 if kind == "float64" else types.int64 for kind in taken]
    return numba.cfunc(types.int64(*kinds), **OPTIONS)(scope[symbol])


def cast_address(kind: Any) -> Any:
    """Return an intrinsic that converts a number to the address of the table of a struct."""

    @intrinsic
    def cast(_typing: Any, address: Any) -> Any:
        def build(context: Any, builder: Any, _signature: Any, given: Any) -> Any:
            return builder.inttoptr(given[0], context.get_value_type(kind))

        return kind(types.int64), build

    return cast
