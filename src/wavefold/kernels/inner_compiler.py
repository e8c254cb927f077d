"""How functions are compiled that only kernels call: to a library that is merged into theirs.

Numba would optimise each of them and turn it into machine code of its own, which nobody ever calls.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.core.types.misc import unliteral


class InnerLibrary(JITCodeLibrary):
    """The code of a function and of those it calls, as it was before any optimisation across functions."""

    def _optimize_final_module(self) -> None:
        """Left to the kernel."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class InnerCompiler(Compiler):
    """Numba's compiler, up to where it would make the function callable."""

    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings)
        self.state.flags.no_compile = True

    def compile_extra(self, func: Any) -> Any:
        """Compile a function, and let kernels find it."""
        state = self.state
        state.library = InnerLibrary(state.targetctx.codegen(), func.__qualname__)
        result = super().compile_extra(func)
        # What Python would call, and the key under which Numba finds the code: a built-in function that
        # no other equals. This one raises TypeError for whatever a kernel takes.
        entry_point: Any = {}.update
        state.targetctx.insert_user_function(entry_point, result.fndesc, [result.library])
        return result._replace(entry_point=entry_point)


class InnerDispatcher(CPUDispatcher):
    """What Numba asks for a function that only kernels call: one version for all numbers written in calls.

    Numba would compile one more for each constant, and for each variable that begins with one.
    """

    def get_call_template(self, arguments: Any, keywords: Any) -> Any:
        """How Numba types a call."""
        keywords = {name: unliteral(kind) for name, kind in dict(keywords).items()}
        return super().get_call_template(tuple(map(unliteral, arguments)), keywords)
