"""`python -m wavefold.kernels.compile FOLDER`: build the library of kernels in a folder.

If the build fails, the last line of stderr says what failed and where; details come before it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from pathlib import Path

from wavefold.errors import describe_error
from wavefold.kernels.host.sources import FOLDER

# Kernels are plain Python in this process, because the compiled library does not exist yet. Numba does not
# optimise: it would optimise every function separately, and LLVM optimises the whole program later.
os.environ |= {
    "WAVEFOLD_KERNELS": "python",
    "NUMBA_OPT": "0",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_DEBUGINFO": "0",
}


def main() -> None:
    """Build libraries for the named targets."""
    from wavefold.kernels.compile.targets import TARGETS, host_target

    parser = argparse.ArgumentParser(prog="python -m wavefold.kernels.compile", description=__doc__)
    parser.add_argument("folder", type=Path, help="for libraries; several targets get folders in it")
    parser.add_argument("--target", action="append", choices=TARGETS, help="a platform; default: this one")
    parser.add_argument("--processes", type=int, default=min(8, os.cpu_count() or 1))
    parser.add_argument("--probes", action="store_true", help="with the kernels that only tests call")
    parser.add_argument("--module", type=Path, help="a file that keeps what all targets share, or has it")
    parser.add_argument("--quiet", action="store_true", help="do not report progress")
    given = parser.parse_args()
    started = time.monotonic()

    def report(line: str) -> None:
        if not given.quiet:
            print(f"{time.monotonic() - started:6.1f} s  {line}", file=sys.stderr, flush=True)

    folders = dict.fromkeys(given.target or [host_target()], given.folder)
    if len(folders) > 1:
        folders = {name: given.folder / name for name in folders}
    try:
        from wavefold.kernels.compile.build import build  # imports Numba and the kernels

        paths = build(folders, given.processes, given.probes, given.module, report)
    except Exception as error:
        traceback.print_exc()
        sys.exit(summarise(error))
    for path in paths:
        print(path)


def summarise(error: Exception) -> str:
    """Return what failed and where, in one line."""
    if type(error) is RuntimeError:  # raised by the builder or by LLVM
        return str(error).partition("\n")[0]
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(FOLDER)]
    if isinstance(error, SyntaxError) or not ours:  # the message of a SyntaxError includes the place
        return describe_error(error)
    return f"{ours[-1].filename}, line {ours[-1].lineno}: {ours[-1].name}: {describe_error(error)}"


if __name__ == "__main__":
    main()
