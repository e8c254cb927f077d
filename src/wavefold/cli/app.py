"""The commands, what they are called with, and how they end.

Exit codes: 0 done; 1 proved impossible; 2 wrong usage or bad input; 3 out of budget; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import typer

from wavefold.cli import making, telling
from wavefold.cli.program import app
from wavefold.errors import Contradiction, OutOfBudget, TileSetWarning, WavefoldError

__all__ = ["app", "main"]

IMPOSSIBLE, WRONG, OUT_OF_BUDGET, INTERRUPTED = 1, 2, 3, 130

# What is wrong with a command line; Typer does not export the root of its own errors.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

# Importing a module of commands adds them to the program.
COMMANDS = (making, telling)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; whatever goes wrong becomes one sentence on stderr and an exit code."""
    try:
        with warnings_told():
            code: int = app(args=arguments, prog_name="wavefold", standalone_mode=False) or 0
    except UsageError as error:
        message = getattr(error, "format_message", error.__str__)()
        if message:  # none after a bare `wavefold`, which shows its help
            complain(f"{message.rstrip('.')}; see wavefold --help")
        return WRONG
    except WavefoldError as error:
        complain(str(error))
        return exit_code(error)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing may be flushed into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        complain("there is not enough memory for this; try a smaller --size")
        return WRONG
    if code == INTERRUPTED:
        complain("interrupted; nothing was written")
    return code


def complain(message: str) -> None:
    typer.echo(f"wavefold: {message}", err=True)


@contextmanager
def warnings_told() -> Iterator[None]:
    """What looks like a mistake in a tile set is a sentence on stderr, too, and told once."""
    told: set[str] = set()
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def tell(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, TileSetWarning):
                usual(message, category, *where, **more)
            elif str(message) not in told:
                told.add(str(message))
                complain(f"warning: {message}")

        warnings.simplefilter("always", TileSetWarning)
        warnings.showwarning = tell
        yield


def exit_code(error: WavefoldError) -> int:
    """Impossible and gave up are different answers; all the rest is something to correct."""
    if isinstance(error, Contradiction):
        return IMPOSSIBLE
    return OUT_OF_BUDGET if isinstance(error, OutOfBudget) else WRONG
