"""Ctrl-C from the first line of our code on: one line, exit code 130, no traceback, and none is lost."""

import ast
import os
import random
import subprocess
import sys
import tomllib
from pathlib import Path
from time import monotonic

import pytest
from running import run_python

ROOT = Path(__file__).parents[2]
LINE = "wavefold: interrupted; nothing was written\n"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")

START = """
import atexit, ctypes, os, signal, sys, weakref
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
from wavefold.cli import interrupts

def press():
    os.kill(os.getpid(), signal.SIGINT)

def go_on(*_):
    for _ in range(1000):
        pass
    return 0

class Thing:
    pass

"""


def run_process(*lines):
    """Run these lines after the signals are watched."""
    return run_python("\n".join((START, "interrupts.watch_signals()", *lines)))


def run_work(*lines):
    """Run these lines as the command."""
    work = ["def work():", *(f"    {line}" for line in lines), "    return go_on()"]
    return run_process(*work, "sys.exit(interrupts.run_interruptibly(work))")


DROPPED = {
    "weak reference": ("thing = Thing()", "watch = weakref.ref(thing, lambda _: press())", "del thing"),
    "del": ("Thing.__del__ = lambda self: press()", "Thing()"),
    "callback of C": ("ctypes.CFUNCTYPE(None)(press)()",),
    "bare except": ("try: press()", "except: pass"),
    "bare except, again and again": ("for _ in range(10):", "    try: press()", "    except: pass"),
    "executed text": ("exec('press()')",),
    "generator": (
        "def yield_once():", "    try: yield", "    finally: press()", "each = yield_once()", "next(each)",
        "del each",
    ),
}  # fmt: skip


@pytest.mark.parametrize("lines", DROPPED.values(), ids=DROPPED.keys())
def test_an_interrupt_that_python_or_a_library_drops_comes_again(lines):
    done = run_work(*lines, "go_on()", "print('went on')")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", LINE)


def test_an_interrupt_that_is_caught_and_kept_ends_the_command_with_130():
    done = run_work("try: press()", "except BaseException as error: kept = error", "go_on()")
    assert (done.returncode, done.stderr) == (130, LINE)


def test_interrupts_while_one_is_dealt_with_change_nothing():
    done = run_work("try: press()", "finally: press(); press(); go_on(); print('cleaned up')")
    assert (done.returncode, done.stdout, done.stderr) == (130, "cleaned up\n", LINE)


def test_an_interrupt_long_after_another_ends_cleaning_up():
    wait = "interrupts.watcher.arrived -= 2 * interrupts.PATIENCE"
    done = run_work("try: press()", f"finally: {wait}; press(); print('cleaned up', flush=True)")
    assert (done.returncode, done.stdout) == (130, "")


def test_an_interrupt_before_the_command_and_one_after_it_end_the_process_at_once():
    at_end = "atexit.register(lambda: (press(), go_on(), print('went on', flush=True)))"
    for lines in (["press()", "print('went on')"], [at_end, "sys.exit(interrupts.run_interruptibly(go_on))"]):
        done = run_process(*lines)
        assert (done.returncode, done.stdout, done.stderr) == (130, "", LINE)


def test_files_that_are_complete_are_listed_by_an_interrupt_after_the_command():
    done = run_process(
        "interrupts.complete_files[:] = map(str, range(14))",
        "interrupts.run_interruptibly(go_on)",
        "press()",
    )
    listed = ", ".join(map(str, range(12)))
    assert done.stderr == f"wavefold: interrupted; these files are complete: {listed} and 2 more\n"


def test_other_unraisable_errors_are_still_printed():
    done = run_work("Thing.__del__ = lambda self: 1 / 0", "Thing()")
    assert done.returncode == 0
    assert "ZeroDivisionError" in done.stderr


def test_signals_that_the_process_was_started_to_ignore_are_ignored():
    before = "signal.signal(signal.SIGINT, signal.SIG_IGN)\ninterrupts.watch_signals()"
    done = run_python(f"{START}{before}\npress()\nprint(interrupts.run_interruptibly(go_on))")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")


@pytest.mark.parametrize("module", ["wavefold", "wavefold.__main__"])
def test_signals_are_watched_before_anything_is_imported_that_takes_time(module):
    code = f"""
import sys
before = set(sys.modules)
from wavefold.cli import interrupts

def stop():
    slow = ["typing", "typer", "wavefold.errors", "wavefold.cli.app"]
    print([name for name in slow if name in sys.modules and name not in before])
    raise SystemExit

interrupts.watch_signals = stop
import runpy
runpy.run_module({module!r}, run_name="__main__")
"""
    assert run_python(code).stdout == "[]\n"


def test_the_console_script_watches_signals_before_all_else():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    module, _, function = project["project"]["scripts"]["wavefold"].partition(":")
    lines = ast.parse((ROOT / "src" / f"{module.replace('.', '/')}.py").read_text()).body
    assert [type(line).__name__ for line in lines[:3]] == ["Expr", "ImportFrom", "Expr"]
    assert ast.unparse(lines[1]) == "from wavefold.cli.interrupts import run_interruptibly, watch_signals"
    assert ast.unparse(lines[2]) == "watch_signals()"
    assert function in [getattr(line, "name", "") for line in lines]


# --- at random moments ------------------------------------------------------------------------------

# Arms a timer once signals are watched, and tells on file descriptor 3 when it sends the signal: one from
# outside could come while the process ends.
TIMED = """
import os, signal, sys
from wavefold.cli import interrupts

def interrupt(*_):
    os.write(3, b"!")
    os.kill(os.getpid(), signal.SIGINT)

def watch_signals(really=interrupts.watch_signals):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGALRM, interrupt)
    really()
    signal.setitimer(signal.ITIMER_REAL, float(sys.argv.pop(1)))

interrupts.watch_signals = watch_signals
import runpy
runpy.run_module("wavefold", run_name="__main__", alter_sys=True)
"""
NEVER = 1000  # seconds
COMMANDS = {
    "generate pipes --size 40x40 -o map.png": 50,
    "generate islands --n 3 --size 32x32 -o map.gif -o map.tmx": 30,
    "world meadow --region 0:1,0:1 -o world.png": 30,
    "patchwork build --grids 3 -o patchwork.png --save map.patchwork": 20,
    "audit pipes": 40,
    "serve --port 0 --log-format text": 30,
}


def start_timed(command, folder, seconds):
    """The process of a command that is interrupted after so many seconds, and what tells whether it was."""
    told, telling = os.pipe()
    place = 3
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import os; os.dup2({telling}, {place})\n{TIMED}",
            str(seconds),
            *command.split(),
        ],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=[telling],
    )
    os.close(telling)
    return process, told


def measure_seconds(command, folder):
    """How long a command takes that is not interrupted; a server, until it serves."""
    started = monotonic()
    process, told = start_timed(command, folder, NEVER)
    os.close(told)
    for line in process.stderr if command.startswith("serve") else ():
        if "is serving" in line:
            break
    seconds = monotonic() - started
    if command.startswith("serve"):
        process.terminate()
    process.communicate()
    return seconds


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_an_interrupt_at_any_moment_is_one_line_and_130(command, tmp_path):
    if command.startswith("serve"):
        pytest.importorskip("fastapi")
    folders = (tmp_path / str(number) for number in range(1000))
    seconds = measure_seconds(command, make(next(folders)))
    rng, interrupted = random.Random(0), 0
    while interrupted < COMMANDS[command]:
        folder = make(next(folders))
        process, told = start_timed(command, folder, rng.uniform(0.001, seconds))
        with os.fdopen(told, "rb") as told_file:
            _, errors = process.communicate(timeout=120)
            was_interrupted = told_file.read() == b"!"
        if "is serving" in errors:  # it stops in good order
            assert process.returncode == 0, errors
        elif was_interrupted:
            assert process.returncode == 130, errors
            assert errors.startswith("wavefold: interrupted; ")
            assert errors.count("\n") == 1
            complete = errors.partition("complete: ")[2].strip().split(", ")
            left = {path.name for path in folder.iterdir()} - {"wavefold-data"}
            assert left == set(filter(None, complete))
            interrupted += 1
        else:
            assert process.returncode == 0, errors


def make(folder):
    folder.mkdir()
    return folder
