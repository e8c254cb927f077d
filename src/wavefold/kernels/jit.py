"""The decorators of kernels, and where compiled kernels are kept.

Numba's disk cache checks the file that defines a function, not the files it calls into: after an edit
elsewhere it would run stale code. So the folder is named after a digest of all kernel sources.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import numba

from wavefold.kernels.kernel_store import KernelStore, cache_home, temporary_home

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT
OPTIONS: dict[str, Any] = {"nopython": True, "boundscheck": None, "nogil": True, "error_model": "numpy"}


def source_digest() -> str:
    """Digest of all kernel sources and of the version of Numba, in hexadecimal."""
    digest = blake2b(numba.__version__.encode(), digest_size=8)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def kernel_folders() -> list[Path]:
    """Where compiled kernels may be: in the folder NUMBA_CACHE_DIR, the user's, or a temporary one."""
    chosen = Path(numba.config.CACHE_DIR) if numba.config.CACHE_DIR else cache_home()
    homes = [home for home in (chosen, temporary_home()) if home is not None]
    return [home / f"kernels-{source_digest()}" for home in homes]


STORE = KernelStore(kernel_folders() if COMPILED else ())


def kernel(function: Function) -> Function:
    """Compile without the GIL, and keep the result on disk."""
    return new_dispatcher(function, no_cfunc_wrapper=True) if COMPILED else function


def new_dispatcher(function: Callable[..., Any], **options: bool) -> Any:
    """What Numba calls to compile a function, with our cache."""
    from wavefold.kernels.kernel_dispatcher import KernelCache, KernelDispatcher

    dispatcher = KernelDispatcher(py_func=function, targetoptions=OPTIONS | options)
    dispatcher.store = STORE
    dispatcher._cache = KernelCache(function, STORE)
    dispatcher.inner = inner(function)
    return dispatcher


def inner(function: Function) -> Function:
    """Decorator of functions that only kernels call: compiled in less than half the time."""
    if not COMPILED:
        return function
    from wavefold.kernels.inner_compiler import InnerCompiler, InnerDispatcher

    options = OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    dispatcher: Any = InnerDispatcher(function, targetoptions=options, pipeline_class=InnerCompiler)
    return dispatcher
