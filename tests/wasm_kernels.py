"""Kernels through WebAssembly: `WAVEFOLD_TEST_KERNELS=wasm pytest …` has node call each of them."""

from __future__ import annotations

import os
import struct
import subprocess
from functools import cache, wraps
from pathlib import Path
from threading import Lock

from kernel_calls import decode_arrays, encode_call
from wavefold.kernels.host import library
from wavefold.kernels.units import signature_of

IN_WASM = os.environ.get("WAVEFOLD_TEST_KERNELS") == "wasm"
TURN = Lock()  # calls of several threads
HOST = Path(__file__).with_name("wasm_host.mjs")


def use_wasm():
    """Have kernels that are imported from now on called in WebAssembly."""
    library.bind = bind


@cache
def start_host():
    """The process that calls kernels."""
    from wavefold.kernels.host.rebuild import find_current_library

    path = find_current_library(".wasm", "wasm32")
    return subprocess.Popen(["node", str(HOST), str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def bind(function):
    """A kernel in WebAssembly, called like the Python function."""
    *_, returned = signature_of(function)

    @wraps(function)
    def call(*arguments):
        result = call_wasm(function.__name__, arguments)
        return {"bool": result != 0, "none": None}.get(returned, result)

    return call


def call_wasm(name, arguments):
    """The result of a kernel, which may have written into the arrays."""
    call, arrays, size = encode_call(name, arguments)
    with TURN:
        host = start_host()
        host.stdin.write(call)
        host.stdin.flush()
        answer = host.stdout.read(8 + size)
    if len(answer) < 8 + size:
        start_host.cache_clear()
        raise RuntimeError(f"node ended in the kernel {name}")
    decode_arrays(answer[8:], arrays)
    return struct.unpack("<q", answer[:8])[0]
