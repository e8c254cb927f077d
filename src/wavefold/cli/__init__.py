"""The command `wavefold`: it parses arguments, calls the library, and prints.

All computation is in the library. Start with `app`, which runs a command and turns errors into exit codes;
the commands are in `commands`, signal handling in `interrupts`.
"""

from __future__ import annotations

import gc
import sys
from time import perf_counter

from wavefold import import_on_use

TYPE_CHECKING = False  # `typing` takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from wavefold.cli.options import AsJson, ConfigFile, create_command
    from wavefold.cli.terminal import note, open_console, print_json, print_table

# For commands of other packages, which look like ours.
_NAMES = {  # module -> its names
    "wavefold.cli.options": ("AsJson", "ConfigFile", "create_command"),
    "wavefold.cli.terminal": ("note", "open_console", "print_json", "print_table"),
}

__all__ = [
    "AsJson",
    "ConfigFile",
    "create_command",
    "main",
    "note",
    "open_console",
    "print_json",
    "print_table",
    "run",
]

if not TYPE_CHECKING:  # with it, type checkers would believe any name
    __getattr__ = import_on_use(__name__, _NAMES)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (`sys.argv` if no arguments are given) and return its exit code."""
    started_at = perf_counter()
    gc.set_threshold(200_000, 10, 10)  # imports create objects that stay: collecting garbage took 0.07 s
    from wavefold.cli import app

    return app.run(arguments, started_at)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """The same; raises `SystemExit`."""
    sys.exit(run(arguments))
