"""Runs a command, and turns every failure into one line on stderr and an exit code.

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
from time import perf_counter
from typing import Any

import typer

import wavefold.cli.commands  # noqa: F401 adds the commands
from wavefold.cli.interrupts import describe_interruption, has_arrived, ignore_signals
from wavefold.cli.options import IMPOSSIBLE, INTERNAL, INTERRUPTED, OUT_OF_BUDGET, WRONG, app
from wavefold.cli.other_commands import add_commands
from wavefold.cli.outputs import start_record
from wavefold.errors import (
    Contradiction,
    OutOfBudget,
    PluginWarning,
    TileSetWarning,
    WavefoldError,
    WithAdvice,
    describe_error,
)
from wavefold.plugins.registry import find_culprit

# The common base of Typer's usage errors, which Typer does not export.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]
ENDS = ("min", "max")  # of the range of a flag, in Typer

add_commands()


def run(arguments: Sequence[str] | None = None, started_at: float | None = None) -> int:
    """Run the command line (`sys.argv` if no arguments are given) and return its exit code.

    started_at : the time of `perf_counter` before any import; by default now
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
        message = describe_usage_error(error)
        if message:  # empty after a bare `wavefold`, which shows its help
            where = getattr(getattr(error, "ctx", None), "command_path", "wavefold")
            print_error(f"{message.rstrip('.')}; see {where} --help")
        return WRONG
    except (KeyboardInterrupt, typer.Abort):
        return report_interruption()
    except WavefoldError as error:
        if has_arrived():
            return report_interruption()
        print_error(error.in_flags)
        return choose_exit_code(error)
    except SystemExit as end:  # Typer's answer to a broken pipe
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        raise
    except MemoryError:
        print_error("not enough memory; make a smaller map, or a part of it")
        return WRONG
    except Exception as error:
        if has_arrived():  # an interrupt that other code turned into an error
            return report_interruption()
        if isinstance(error, OSError) and error.filename is None:  # of a stream
            raise
        if os.environ.get("WAVEFOLD_TRACEBACK"):
            traceback.print_exc()
        return report_failure(error)
    return report_interruption() if code == INTERRUPTED else code  # Typer turns interrupts into codes


def describe_usage_error(error: Exception) -> str:
    """The message of a usage error: of a number, its flag, the accepted range and the value; else Typer's."""
    parameter, errors = getattr(error, "param", None), getattr(error.__cause__, "errors", None)
    if parameter is not None and errors is not None:  # a validation error of Pydantic
        from wavefold.options.validation import describe_number_error

        flag, low, high = max(parameter.opts, key=len), *(getattr(parameter, end, None) for end in ENDS)
        described = describe_number_error(errors()[0], flag, low, high)
        if described is not None:
            return described
    message: str = getattr(error, "format_message", error.__str__)()
    return message


def report_interruption() -> int:
    """Print which files were complete before the interruption."""
    ignore_signals()
    print_error(describe_interruption())
    return INTERRUPTED


def report_failure(error: Exception) -> int:
    """Print an unexpected error, of wavefold or of a plugin."""
    what, trace = describe_error(error), "with the traceback that WAVEFOLD_TRACEBACK=1 prints"
    culprit = find_culprit(error)
    if culprit:
        print_error(f"the plugin package {culprit} failed: {what}; please report it to its authors, {trace}")
        return WRONG
    print_error(f"internal error: {what}; please report it, {trace}")
    return INTERNAL


def prepare_streams() -> None:
    """Open closed streams to the null device, and replace characters that a terminal cannot show."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 it stays open
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def discard_output() -> None:
    """Point stdout to the null device, so that Python's flush at exit does not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def print_error(message: str) -> None:
    """Print one line to stderr, unless stderr itself is closed or full."""
    with suppress(OSError):
        typer.echo(f"wavefold: {message}", err=True)


@contextmanager
def warnings_as_messages() -> Iterator[None]:
    """Print each warning about tiles or plugins once, as a line like those of errors."""
    printed: set[str] = set()
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, (TileSetWarning, PluginWarning)):
                usual(message, category, *where, **more)
            elif str(message) not in printed:
                printed.add(str(message))
                words = message.in_flags if isinstance(message, WithAdvice) else message
                print_error(f"warning: {words}")

        for ours in (TileSetWarning, PluginWarning):
            warnings.simplefilter("always", ours)
        warnings.showwarning = show
        yield


def choose_exit_code(error: WavefoldError) -> int:
    """The exit code of an error: proved impossible, out of budget, or bad input."""
    if isinstance(error, Contradiction):
        return IMPOSSIBLE
    return OUT_OF_BUDGET if isinstance(error, OutOfBudget) else WRONG
