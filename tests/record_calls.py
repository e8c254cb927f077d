"""Record calls of every kernel: python record_calls.py CALLS ANSWERS. See kernel_calls.py.

Kernels run as WAVEFOLD_KERNELS says. What was recorded can be repeated on other platforms.
"""

from __future__ import annotations

import struct
import sys
from collections import Counter
from functools import wraps
from pathlib import Path

from kernel_calls import encode_call
from wavefold.kernels import library

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


def prune_directly():
    """Have a constraint look at a wave outside of a search, as its contract does."""
    problem = wf.Problem(wf.TileSet.load("castle"), wf.SquareGrid(9, 9))
    wf.Separation("tower", 2).prune(WaveView(problem, problem.domains.copy()))


for make in (prune_directly, *make_scenes().values()):
    if all(counts.values()):
        break
    make()
for path, content in zip(sys.argv[1:3], (calls, answers), strict=True):
    Path(path).write_bytes(content)
print(*sorted(name for name, count in counts.items() if count))
