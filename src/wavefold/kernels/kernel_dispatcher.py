"""What Numba calls to compile a kernel: through our cache, in a thread, one process at a time.

Numba's own cache checks the file that defines a function and not the files it calls into, falls back to the
folder of the sources, and trusts the files it finds. Ours (`kernel_store`) does none of that.
"""

from __future__ import annotations

import gc
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from threading import Event, Thread
from typing import Any, ClassVar

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from wavefold.kernels.kernel_store import ENDING, KernelStore
from wavefold.kernels.listeners import announce, keep_waiting

WAIT = 0.1  # seconds after which a waiting thread looks for Ctrl-C; some platforms do not wake it


class KernelCache(_Cache):
    """The compiled versions of one function in a store, as Numba's dispatcher asks for them."""

    def __init__(self, function: Callable[..., Any], store: KernelStore) -> None:
        self._store = store
        code = function.__code__
        self._title = f"{Path(code.co_filename).stem}.{function.__qualname__}".translate({60: None, 62: None})
        # Tests define kernels, too, in files that the digest of the folder does not cover.
        self._source = (code.co_firstlineno, code.co_code, Path(code.co_filename).read_bytes())

    @property
    def cache_path(self) -> str:
        """The folder that is read first."""
        return str(self._store.folders[0]) if self._store.folders else ""

    def file_name(self, signature: Any, codegen: Any) -> str:
        """The file of one signature on this kind of processor and in this version of Python."""
        facts = (*self._source, str(signature), codegen.magic_tuple(), sys.implementation.cache_tag)
        return f"{self._title}-{blake2b(repr(facts).encode(), digest_size=8).hexdigest()}{ENDING}"

    def load_overload(self, signature: Any, target: Any) -> CompileResult | None:
        """The compiled function, or None."""
        # `target.refresh()` also makes Numba ready to compile, which takes longer than loading all kernels.
        rtsys.initialize(target)
        name = self.file_name(signature, target.codegen())
        data = self._store.read(name)
        if data is None:
            return None
        try:
            return rebuild(target, data)
        except Exception:  # a sound file of something else: whatever it is, it must not stop us
            self._store.discard(name)
            return None

    def save_overload(self, signature: Any, result: CompileResult) -> None:
        """Keep a compiled function."""
        self._store.write(self.file_name(signature, result.codegen), dumps(result._reduce()))

    def enable(self) -> None:
        """Always enabled."""

    def disable(self) -> None:
        """Always enabled."""

    def flush(self) -> None:
        """Nothing is buffered."""


def rebuild(target: Any, data: bytes) -> CompileResult:
    """The compiled function that `dumps` wrote."""
    return CompileResult._rebuild(target, *pickle.loads(data))


class KernelDispatcher(CPUDispatcher):
    """A kernel that is compiled in a thread, so that Ctrl-C, `cancel` and budgets are obeyed meanwhile.

    The compilation goes on after that: interrupted half-way, Numba would be left in a state of which it is
    not known whether it can compile again.

    inner : the same function as other kernels call it, merged into them
    compilations : of all kernels. Somebody may have stopped waiting for them
    """

    store: KernelStore
    inner: Any
    compilations: ClassVar[dict[str, Compilation]] = {}  # {file name: under way, or the last one}

    def compile(self, signature: Any) -> Any:
        """The entry point of the function for these types: compiled before, stored, or compiled now."""
        if signature in self.overloads:
            return super().compile(signature)
        keep_waiting()
        name = self._cache.file_name(signature, self.targetctx.codegen())
        thread = self.compilations.get(name)
        if thread is None or thread.finished.is_set():
            for other in tuple(self.compilations.values()):
                other.wait()  # loading would, too, but could not be interrupted
            entry_point = self._load(signature)
            if entry_point is not None:
                return entry_point
            thread = self.compilations[name] = Compilation(self, super().compile, signature, name)
            thread.start()
        thread.wait()
        self.compilations.pop(name, None)
        if thread.error is not None:
            raise thread.error
        return thread.entry_point

    def _load(self, signature: Any) -> Any:
        """The entry point of the function if it is stored, and as it was written; otherwise None.

        As Numba's own `compile` does it, which would go on and compile what it cannot load.
        """
        with global_compiler_lock:
            result = self._cache.load_overload(signature, self.targetctx)
            if result is None:
                return None
            self._cache_hits[signature] += 1
            self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
            self.add_overload(result)
            return result.entry_point

    def get_call_template(self, arguments: Any, keywords: Any) -> Any:
        """How Numba types a call in another kernel."""
        return self.inner.get_call_template(arguments, keywords)

    def get_overload(self, signature: Any) -> Any:
        """What Numba merges into another kernel."""
        return self.inner.get_overload(signature)


@contextmanager
def pause_collector() -> Iterator[None]:
    """Collect no cycles meanwhile: a compiler makes few, and looking for them takes a tenth of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Compilation(Thread):
    """Compiles one kernel, after any other process that compiles."""

    def __init__(
        self, kernel: KernelDispatcher, compile_now: Callable[[Any], Any], signature: Any, file_name: str
    ) -> None:
        super().__init__(name=f"compile {kernel.__name__}", daemon=True)
        self._kernel, self._compile_now, self._signature = kernel, compile_now, signature
        self._file_name = file_name
        self.entry_point: Any = None
        self.error: BaseException | None = None
        self.finished = Event()

    def wait(self) -> None:
        """Until it is finished, unless a check ends the waiting."""
        # Not `join`: after Ctrl-C Python 3.11 takes the thread for dead.
        while not self.finished.wait(WAIT):
            keep_waiting()

    def run(self) -> None:
        """Compile, and keep what came of it for the thread that waits."""
        try:
            announce(self._kernel.__name__)
            with self._kernel.store.lock(self._file_name), pause_collector():
                self.entry_point = self._compile_now(self._signature)
            announce(None)
        except BaseException as error:
            self.error = error
        finally:
            self.finished.set()
