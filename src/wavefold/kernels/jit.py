"""The one decorator of every kernel, and where compiled kernels are kept.

Numba's disk cache looks at the file a function stands in, not at the files it calls into: after an
edit elsewhere it would happily run stale code. So the cache folder is named after all kernel sources.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT


def source_digest() -> str:
    """A short name for the state of all kernel sources (and of Numba, which compiles them)."""
    digest = blake2b(numba.__version__.encode(), digest_size=8)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def cache_home() -> Path:
    """The folder for things that can be made again, as the platform likes it."""
    if chosen := numba.config.CACHE_DIR:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "wavefold"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "wavefold"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wavefold"


KERNEL_CACHE = cache_home() / f"kernels-{source_digest()}"


def kernel(function: Function) -> Function:
    """Compile for arrays, without the GIL, and keep the result on disk."""
    # The folder is fixed when the decorator runs; other users of Numba keep theirs.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(KERNEL_CACHE)
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = before


def inner(function: Function) -> Function:
    """A kernel that only other kernels call: nothing for Python is compiled, which takes half as long."""
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(nogil=True, error_model="numpy", **options)(function)


def is_warm() -> bool:
    """Whether the search is on disk already, compiled; if not, the first solve takes some seconds."""
    if not COMPILED:
        return True
    from wavefold.kernels.search import advance

    # Numba keeps a folder per path of the sources: another checkout's files do not serve this one.
    folder = Path(advance.stats.cache_path)  # type: ignore[attr-defined]
    return any(folder.glob(f"search.advance-*.py{sys.version_info.major}{sys.version_info.minor}*.nbc"))
