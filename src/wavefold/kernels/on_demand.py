"""Parts of kernels that are compiled only when a problem needs them.

A kernel calls such a part through a pointer, so it can be compiled, kept and loaded without the part. Most
problems need one of seven ways to propagate, and neither shortlists nor adjusted weights: compiling all
of them took most of the first solve.
"""

from __future__ import annotations

import ctypes
import threading
from _thread import interrupt_main
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any, get_type_hints

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing import signature
from numba.extending import intrinsic

from wavefold.errors import WavefoldError
from wavefold.kernels.array_struct import ArrayStruct, find_array
from wavefold.kernels.constants import WORK_LEFT
from wavefold.kernels.jit import COMPILED, Function, new_dispatcher
from wavefold.kernels.listeners import check_while_waiting
from wavefold.kernels.structs import Wave

WORD = ctypes.c_int64
PLAIN_TYPES = {int: types.int64, bool: types.boolean, type(None): types.none}

_parts: dict[Any, KernelPart] = {}
_ready: set[Any] = set()  # parts and kernels
_failed = threading.local()  # part: (symbol, error) of one that a kernel of this thread did not get


class KernelPart:
    """A function that takes structs and whole numbers, and the pointer through which kernels call it.

    `prepare` lets the pointer lead to the compiled function. Until then it leads to `compile_and_call`.

    was_late : a kernel needed it before it was prepared, which works, but cannot be interrupted
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.dispatcher = new_dispatcher(function, no_cpython_wrapper=True)
        self.symbol = f"{function.__module__}.{function.__name__}"
        self.is_ready = self.was_late = False
        self.hints = get_type_hints(function)
        self._prototype = ctypes.CFUNCTYPE(WORD, *[WORD] * (len(self.hints) - 1))
        self._stub = self._prototype(self.compile_and_call)
        self._pointer = np.array([ctypes.cast(self._stub, ctypes.c_void_p).value], np.uint64)
        llvmlite.binding.add_symbol(self.symbol, self._pointer.ctypes.data)

    def prepare(self) -> None:
        """Load or compile the function. There must have been a struct of each class that it takes."""
        hints = [numba_type(hint) for hint in self.hints.values()]
        self.dispatcher.compile(signature(hints[-1], *hints[:-1]))
        compiled = self.dispatcher.overloads[tuple(hints[:-1])]
        name = compiled.fndesc.llvm_cfunc_wrapper_name
        self._pointer[0] = compiled.library.get_pointer_to_function(name)
        self.is_ready = True

    def compile_and_call(self, *arguments: int) -> int:
        """What kernels call if nobody has prepared the part. They cannot be stopped, nor go on without it.

        If it cannot be compiled, they get -1, and end soon: see `raise_failure`.
        """
        self.was_late, was_interrupted = True, False
        while not self.is_ready:
            try:
                with check_while_waiting(lambda: None):
                    self.prepare()
            except KeyboardInterrupt:
                was_interrupted = True
            except BaseException as error:  # it cannot be raised through a kernel
                _failed.part = (self.symbol, error)
                self._end_slice(arguments)
                return -1
        if was_interrupted:
            interrupt_main()
        return int(self._prototype(int(self._pointer[0]))(*arguments) or 0)

    def _end_slice(self, arguments: tuple[int, ...]) -> None:
        """Have the kernel that called us return at the end of its step."""
        for hint, address in zip(self.hints.values(), arguments, strict=False):
            if hint is Wave:
                WORD.from_address(find_array(Wave, address, "state") + 8 * WORK_LEFT).value = -1

    def call(self, context: Any, builder: Any, called: Any, arguments: Any) -> Any:
        """The code of a call in a kernel."""
        returned = context.get_value_type(called.return_type)
        kind = ir.FunctionType(returned, [context.get_value_type(each) for each in called.args])
        pointer = context.get_c_value(builder, kind.as_pointer(), self.symbol)
        result = builder.call(builder.load(pointer), arguments)
        return context.get_dummy_value() if called.return_type == types.none else result


def on_demand(function: Function) -> Function:
    """Decorator of parts: functions that only kernels call, and that few problems need."""
    if not COMPILED:
        return function
    part = KernelPart(function)

    def call_part(_typing: Any, *given: Any) -> Any:
        numbers = [types.int64 if isinstance(each, types.Integer) else each for each in given]
        return signature(numba_type(part.hints["return"]), *numbers), part.call

    names = ("_typing", *part.dispatcher.__code__.co_varnames[: len(part.hints) - 1])
    takes = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    call_part.__signature__ = Signature(takes)  # type: ignore[attr-defined]
    caller = intrinsic(call_part)
    _parts[caller] = part
    return caller


def prepare(*functions: Callable[..., Any]) -> None:
    """Load or compile these parts and kernels before they are called, where it can still be interrupted.

    Kernels must take structs and whole numbers alone, as parts do.
    """
    for function in functions if COMPILED else ():
        if function in _ready:
            continue
        if function in _parts:
            _parts[function].prepare()
        else:
            dispatcher: Any = function
            *hints, _ = get_type_hints(dispatcher.py_func).values()
            dispatcher.compile(tuple(map(numba_type, hints)))
        _ready.add(function)


def raise_failure() -> None:
    """Raise an error if a part could not be compiled while a kernel ran, whose results are then worthless.

    Once: the next kernel that needs the part tries again. There may have been too little memory, or no disk.
    """
    if (part := getattr(_failed, "part", None)) is not None:
        _failed.part = None
        symbol, error = part
        raise WavefoldError(
            f"the kernel {symbol} could not be compiled ({type(error).__name__}: {error}); please report it. "
            "With NUMBA_DISABLE_JIT=1 everything works without a compiler, slowly"
        ) from error


def prepare_all() -> None:
    """Load or compile every part. There must have been a struct of each class."""
    prepare(*_parts)


def numba_type(hint: Any) -> Any:
    """The Numba type of an annotation: a class of structs, int, bool or None."""
    return ArrayStruct._registered[hint][1] if hint not in PLAIN_TYPES else PLAIN_TYPES[hint]
