"""The command `wavefold`: it parses arguments, calls the library, and prints.

Nothing is computed here that the library does not offer. Start with `app`, which runs a command and turns
errors into exit codes; the commands themselves are in `commands`.
"""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Sequence
from time import perf_counter
from typing import NoReturn

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code.

    SIGTERM is answered like Ctrl-C, with another code: half-written files are removed first.
    """
    started_at = perf_counter()
    gc.set_threshold(200_000, 10, 10)  # imports make objects that stay: looking for garbage took 0.07 s
    signals: list[int] = []

    def stop(number: int, _: object) -> None:
        signals.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    try:
        from wavefold.cli.app import run

        code = run(arguments, started_at)
    except KeyboardInterrupt:  # during that import
        print("wavefold: interrupted; nothing was written", file=sys.stderr)
        code = 130
    sys.exit(128 + signals[0] if signals else code)
