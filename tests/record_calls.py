"""Record calls of every kernel: python record_calls.py CALLS ANSWERS. See kernel_calls.py.

Kernels run as WAVEFOLD_KERNELS says. What was recorded can be repeated on other platforms.
"""

from __future__ import annotations

import struct
import sys
from collections import Counter
from functools import wraps
from pathlib import Path

import numpy as np

from kernel_calls import encode_call
from wavefold.kernels.host import library

EACH = 3  # calls of a kernel
LARGEST = 1 << 20  # bytes

counts: Counter[str] = Counter()
calls, answers = bytearray(), bytearray()
bind = library.bind


def bind_recorder(function):
    """The kernel of the library; its first calls are recorded."""
    kernel, name = bind(function), function.__name__
    counts[name] = 0

    @wraps(function)
    def call(*arguments):
        if counts[name] == EACH:
            return kernel(*arguments)
        before, _, size = encode_call(name, arguments)
        result = kernel(*arguments)
        if size <= LARGEST:
            counts[name] += 1
            after = encode_call(name, arguments)[0]
            calls.extend(before)
            answers.extend(struct.pack("<q", int(result or 0)) + after[len(after) - size :])
        return result

    return call


library.bind = bind_recorder
sys.path.insert(0, str(Path(__file__).with_name("guard")))
from cases import make_scenes  # noqa: E402 - kernels are bound on import

import wavefold as wf  # noqa: E402
from wavefold.solver import WaveView  # noqa: E402
from wavefold.solver.engine.engine import Engine  # noqa: E402
from wavefold.solver.engine.local_repair import LocalRepair  # noqa: E402


def prune_directly():
    """Have a constraint look at a wave outside of a search, as its contract does."""
    problem = wf.Problem(wf.TileSet.load("castle"), wf.SquareGrid(9, 9))
    wf.Separation("tower", 2).prune(WaveView(problem, problem.domains.copy()))


def list_cells_directly():
    """List the cells around two, as the witness does for pins that it does not meet."""
    engine = Engine(wf.Problem(wf.TileSet.load("pipes"), wf.SquareGrid(8, 8)), wf.Heuristics())
    LocalRepair(engine).list_around(np.array([9, 12]), 2)


for make in (prune_directly, list_cells_directly, *make_scenes().values()):
    if all(counts.values()):
        break
    make()
for path, content in zip(sys.argv[1:3], (calls, answers), strict=True):
    Path(path).write_bytes(content)
print(*sorted(name for name, count in counts.items() if count))
