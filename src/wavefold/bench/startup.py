"""Compile and start: how long a newcomer waits for a first map, and anybody for the next."""

from __future__ import annotations

from tempfile import TemporaryDirectory

from wavefold.bench.figures import Section
from wavefold.bench.setup import Setup
from wavefold.bench.timing import in_fresh_process

HOW = (
    "wall-clock time of `import wavefold` and one 16x16 map of the bundled set 'pipes', order 'auto', "
    "in a fresh process; first with an empty folder for compiled kernels, then with what that left there"
)


def compile_and_start(setup: Setup) -> Section:
    """The same small program three times: compiling, and twice not."""
    section = Section("startup", "Compile and start", HOW)
    if not setup.effort.cold_start:
        return section.skip("a quick run does not compile everything once more")
    with TemporaryDirectory() as folder:
        first = in_fresh_process("first_map", NUMBA_CACHE_DIR=folder)["seconds"]
        later = min(in_fresh_process("first_map", NUMBA_CACHE_DIR=folder)["seconds"] for _ in range(3))
    section.add("first run, nothing compiled", "to the first map", first, "s", "< 15")
    section.add("later runs", "to the first map", later, "s", "<= 1.5")
    section.add("later runs", "first / later", first / later, "x")
    return section
