"""The command `wavefold`: parse, call, print. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code."""
    try:
        from wavefold.cli.app import run

        code = run(arguments)
    except KeyboardInterrupt:  # while that was imported
        print("wavefold: interrupted; nothing was written", file=sys.stderr)
        code = 130
    sys.exit(code)
