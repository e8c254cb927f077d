"""Run a command, and turn whatever goes wrong into one line on stderr and an exit code.

Exit codes: 0 done; 1 proved impossible; 2 wrong usage or bad input; 3 out of budget; 70 internal error;
130 interrupted (143 by SIGTERM).
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from time import perf_counter
from typing import Any

import typer

from wavefold.cli.options import IMPOSSIBLE, INTERNAL, INTERRUPTED, OUT_OF_BUDGET, WRONG, app, in_flags
from wavefold.cli.outputs import start_record, written_files
from wavefold.errors import (
    Contradiction,
    OutOfBudget,
    PluginWarning,
    TileSetWarning,
    WavefoldError,
    describe_error,
)
from wavefold.plugins import find_culprit

MOST_FILES = 12  # named after an interruption

# The common base of Typer's usage errors, which Typer does not export.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

# In the order in which the help lists them. Importing a module adds its commands to `app`.
COMMANDS = (
    "generate", "learn", "explain", "repair", "audit", "measure", "calibrate", "tilesets", "plugins",
    "installation",
    "world", "patchwork", "patchwork_compare", "serve", "keys",
)  # fmt: skip
for _name in COMMANDS:
    import_module(f"wavefold.cli.commands.{_name}")


def run(arguments: Sequence[str] | None = None, started_at: float | None = None) -> int:
    """Run the command line (`sys.argv` if no arguments are given) and return its exit code.

    started_at : the time of `perf_counter` before everything was imported; now, if not given
    """
    start_record(perf_counter() if started_at is None else started_at)
    prepare_streams()
    try:
        code = run_command(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has closed it, as `head` does
        discard_output()
        return 0
    except OSError as error:
        discard_output()
        print_error(f"cannot write the output: {(error.strerror or str(error)).lower()}")
        return WRONG
    return code


def run_command(arguments: Sequence[str] | None) -> int:
    """Run the command and report its errors. Errors of stdout and stderr are raised: see `run`."""
    try:
        with warnings_as_messages():
            code: int = app(args=arguments, prog_name="wavefold", standalone_mode=False) or 0
    except UsageError as error:
        message = getattr(error, "format_message", error.__str__)()
        if message:  # empty after a bare `wavefold`, which shows its help
            print_error(f"{message.rstrip('.')}; see wavefold --help")
        return WRONG
    except WavefoldError as error:
        print_error(in_flags(str(error)))
        return exit_code(error)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except SystemExit as end:  # Typer's answer to a broken pipe
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        raise
    except MemoryError:
        print_error("not enough memory; make a smaller map, or a part of it")
        return WRONG
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None:  # of a stream
            raise
        if os.environ.get("WAVEFOLD_TRACEBACK"):
            traceback.print_exc()
        return report_failure(error)
    if code == INTERRUPTED:
        print_error(f"interrupted; {describe_written()}")
    return code


def report_failure(error: Exception) -> int:
    """Print an error that nobody expected: ours, or one in the code of a plugin."""
    what, trace = describe_error(error), "with the traceback that WAVEFOLD_TRACEBACK=1 prints"
    culprit = find_culprit(error)
    if culprit:
        print_error(f"the plugin package {culprit} failed: {what}; please report it to its authors, {trace}")
        return WRONG
    print_error(f"internal error: {what}; please report it, {trace}")
    return INTERNAL


def describe_written() -> str:
    """After an interruption: which files were finished."""
    files = written_files()
    if not files:
        return "nothing was written"
    more = f" and {len(files) - MOST_FILES:,} more" if len(files) > MOST_FILES else ""
    return f"these files are complete: {', '.join(files[:MOST_FILES])}{more}"


def prepare_streams() -> None:
    """Open closed streams to nowhere, and let characters that a terminal cannot show be replaced."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 it stays open
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def discard_output() -> None:
    """Point stdout to nowhere, so that Python's own flush at exit does not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def print_error(message: str) -> None:
    """Print one line to stderr, unless stderr itself is closed or full."""
    with suppress(OSError):
        typer.echo(f"wavefold: {message}", err=True)


@contextmanager
def warnings_as_messages() -> Iterator[None]:
    """Print each warning about tiles, plugins or old keys once, as a line like those of errors."""
    printed: set[str] = set()
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, (TileSetWarning, PluginWarning, DeprecationWarning)):
                usual(message, category, *where, **more)
            elif str(message) not in printed:
                printed.add(str(message))
                print_error(f"warning: {in_flags(str(message))}")

        for ours in (TileSetWarning, PluginWarning):
            warnings.simplefilter("always", ours)
        warnings.filterwarnings("always", category=DeprecationWarning, module="wavefold")
        warnings.showwarning = show
        yield


def exit_code(error: WavefoldError) -> int:
    """Proved impossible and out of budget have codes of their own; everything else can be corrected."""
    if isinstance(error, Contradiction):
        return IMPOSSIBLE
    return OUT_OF_BUDGET if isinstance(error, OutOfBudget) else WRONG
