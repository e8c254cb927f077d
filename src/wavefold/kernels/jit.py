"""The decorators of kernels, and where compiled kernels are cached.

Numba's disk cache checks the file that defines a function, not the files it calls into: after an edit
elsewhere it would run stale code. So the cache folder is named after a digest of all kernel sources.
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
    """Digest of all kernel sources and of the version of Numba, in hexadecimal."""
    digest = blake2b(numba.__version__.encode(), digest_size=8)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def cache_home() -> Path:
    """The cache folder of the platform. Ten lines here instead of a dependency on platformdirs."""
    if chosen := numba.config.CACHE_DIR:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "wavefold"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "wavefold"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wavefold"


KERNEL_CACHE = cache_home() / f"kernels-{source_digest()}"


def kernel(function: Function) -> Function:
    """Compile without the GIL, and cache the result on disk."""
    # Numba reads the folder when the decorator runs; other users of Numba keep their own.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(KERNEL_CACHE)
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = before


def inner(function: Function) -> Function:
    """Decorator of kernels that only kernels call: without wrappers for Python they compile twice as fast."""
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(nogil=True, error_model="numpy", **options)(function)


def is_warm() -> bool:
    """Whether the compiled search is in the cache; if not, the first solve takes some seconds longer."""
    if not COMPILED:
        return True
    from wavefold.kernels.search import advance

    # Numba has a folder per path of the sources: the files of another checkout are not used.
    folder = Path(advance.stats.cache_path)  # type: ignore[attr-defined]
    return any(folder.glob(f"search.advance-*.py{sys.version_info.major}{sys.version_info.minor}*.nbc"))
