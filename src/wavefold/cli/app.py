"""The commands, what they are called with, and how they end.

Exit codes: 0 done; 1 proved impossible; 2 wrong usage or bad input; 3 out of budget; 70 a mistake of ours;
130 interrupted.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import typer

from wavefold.cli import ledger, making, patchworks, telling, worlds
from wavefold.cli.program import app
from wavefold.errors import Contradiction, OutOfBudget, TileSetWarning, WavefoldError

IMPOSSIBLE, WRONG, OUT_OF_BUDGET, INTERNAL, INTERRUPTED = 1, 2, 3, 70, 130
MOST_FILES = 12  # named after an interruption

# What is wrong with a command line; Typer does not export the root of its own errors.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

# Importing a module of commands adds them to the program.
COMMANDS = (making, telling, worlds, patchworks)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; whatever goes wrong becomes one sentence on stderr and an exit code."""
    ledger.clear()
    open_streams()
    try:
        code = ending(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough
        discard_output()
        return 0
    except OSError as error:
        discard_output()
        complain(f"cannot write the output: {(error.strerror or str(error)).lower()}")
        return WRONG
    return code


def ending(arguments: Sequence[str] | None) -> int:
    """How the command ends. Errors of the streams are not for here."""
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
    except SystemExit as end:  # Typer's answer to a broken pipe
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        raise
    except MemoryError:
        complain("there is not enough memory for this; make a smaller map, or a part of it")
        return WRONG
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None:  # of a stream
            raise
        if os.environ.get("WAVEFOLD_TRACEBACK"):
            traceback.print_exc()
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        complain(f"internal error: {what}; please report it, with what WAVEFOLD_TRACEBACK=1 shows")
        return INTERNAL
    if code == INTERRUPTED:
        complain(f"interrupted; {what_was_written()}")
    return code


def what_was_written() -> str:
    """After an interruption: which files are there all the same."""
    files = ledger.written()
    if not files:
        return "nothing was written" if ledger.is_kept() else "what was not finished was not written"
    more = f" and {len(files) - MOST_FILES:,} more" if len(files) > MOST_FILES else ""
    return f"these files are whole: {', '.join(files[:MOST_FILES])}{more}"


def open_streams() -> None:
    """Streams that take whatever is written: a closed one is nowhere, and unknown letters become others."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 it stays open
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def discard_output() -> None:
    """Nothing more may be flushed into what is closed or full."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def complain(message: str) -> None:
    """One sentence on stderr, if there is room for it."""
    with suppress(OSError):
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
