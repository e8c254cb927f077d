"""How commands start and end: help, exit codes, streams, interruptions."""

import json
import logging
import os
import re
import signal
import subprocess
import sys
import warnings

import pytest
from interfaces import list_commands
from PIL import Image
from running import COMMAND, complaint, done_well, run_apart, run_python

from wavefold._version import __version__
from wavefold.cli import app, outputs
from wavefold.errors import PluginError


def test_the_version_is_told(wavefold):
    assert wavefold("--version").stdout.strip() == f"wavefold {__version__}"


COMMANDS = [" ".join(words) for words in list_commands()]

HEAVY = ("numpy", "PIL", "fastapi", "wavefold.config")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_comes_with_an_example(wavefold, command):
    assert "Example: wavefold" in done_well(wavefold(*command.split(), "--help"))


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from wavefold.cli.app import run\n"
        f"for command in {COMMANDS}: run([*command.split(), '--help'])\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    assert run_python(code).stdout.splitlines()[-1] == "[]"


def test_a_process_of_its_own_starts_and_ends(tmp_path):
    done = run_apart(["generate", "pipes", "--size", "6x4", "-o", "map.csv"], tmp_path)
    assert done_well(done).startswith("map.csv — pipes, 6x4, seed 0: ")
    assert os.listdir(tmp_path) == ["map.csv"]
    assert "did you mean 'pipes'" in complaint(run_apart(["generate", "pipe"], tmp_path))


def test_a_command_leaves_the_process_as_it_was(wavefold):
    def state():
        handlers = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
        streams = [sys.stdout, sys.stderr, *logging.getLogger().handlers]
        return os.getcwd(), dict(os.environ), handlers, streams, warnings.showwarning, list(warnings.filters)

    before = state()
    done_well(wavefold("generate", "pipes", "--size", "4x4", "-o", "map.gif", "-o", "map.tmx"))
    complaint(wavefold("generate", "pipe"))
    assert state() == before


def test_a_bare_command_shows_its_help(wavefold):
    done = wavefold()
    assert done.returncode in (0, 2)
    assert "generate" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["learn"], ["generate", "pipes", "--sead", "4"], ["generate", "pipes", "--seed", "x"], ["grow"]],
)
def test_wrong_usage_is_one_sentence_and_points_to_the_help(wavefold, arguments):
    assert "--help" in complaint(wavefold(*arguments))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("learn maze --n 0", "--n must be a whole number from 1 to 5, not 0"),
        ("learn maze --n x", "--n must be a whole number from 1 to 5, not 'x'"),
        ("learn maze --n " + "9" * 5000, f"--n must be a whole number from 1 to 5, not '{'9' * 56}…"),
        ("measure pipes --seeds -3", "--seeds must be a whole number from 1, not -3"),
        ("generate pipes --maps 10001", "--maps must be a whole number from 1 to 10,000, not 10001"),
        ("generate pipes --seed 1.5", "--seed must be a whole number, not '1.5'"),
    ],
)
def test_a_number_that_is_refused_comes_with_its_flag_and_the_range(capsys, line, problem):
    command, *arguments = line.split()
    assert app.run([command, *arguments]) == app.WRONG
    assert capsys.readouterr().err == f"wavefold: {problem}; see wavefold {command} --help\n"


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("generate medieval --radius 3 --wrap", "use --size instead of --radius"),
        ("generate pipes --size 3x3 --tile-size 99999 -o m.png", "use --tile-size "),
        ("learn maze --n 40", "--n must be a whole number from 1 to 5, not 40; see wavefold learn --help"),
        ("patchwork build castle --grass-and-water", "grass beside water needs hexagons"),
        ("world castle --rotational 4", "--parallel or --room. --network joins roads everywhere"),
        ("world pipes --connected tee", "a world cannot have a constraint on a whole map"),
        ("world pipes --chunk 30 --radius 20", "too small for corners of radius 20"),
        ("world pipes --chunk 16 --region 99999999:100000000,0:1 -o far.tmx", "each chunk with --export"),
    ],
)
def test_advice_is_about_flags_not_about_python(wavefold, line, advice):
    message = complaint(wavefold(*line.split()))
    assert advice in message
    assert not re.search(r"wf\.|\w+=\w|_radius|tile_size", message)


def test_advice_keeps_its_flags_behind_the_place_of_a_value(wavefold, tmp_path):
    picture = Image.new("RGB", (3, 3))
    picture.putpixel((1, 1), (255, 0, 0))
    picture.save(tmp_path / "tiny.png")
    text = '[generate]\ntileset = "tiny.png"\n[learn]\nn = 4\nperiodic = false\n'
    (tmp_path / "wavefold.toml").write_text(text)
    message = complaint(wavefold("generate"))
    assert "wavefold.toml, line 2" in message
    assert "a smaller --n, or --periodic" in message


def test_ctrl_c_ends_with_130_and_no_half_file(tmp_path):
    """The signal comes while the map is being solved."""
    code = """
import os, signal, sys
import wavefold as wf
from wavefold.cli.app import run

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it

def interrupted(solver, meter, progress, really=wf.Solver.run_within):
    return really(solver, meter, lambda *_: os.kill(os.getpid(), signal.SIGINT))

wf.Solver.run_within = interrupted
sys.exit(run(["generate", "pipes", "--size", "8x8", "-o", "map.png"]))
"""
    done = run_python(code, tmp_path)
    assert done.returncode == 130, done.stderr
    assert done.stderr.splitlines()[-1].startswith("wavefold: interrupted")
    assert os.listdir(tmp_path) == []


POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a shell")


def shell(line, folder, **environment):
    command = " ".join(f"'{part}'" for part in COMMAND)
    return subprocess.run(
        ["bash", "-c", line.replace("wavefold", command)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@POSIX
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("wavefold generate pipes --size 5x5 > /dev/full", 2),
        ("wavefold generate pipes --size 5x5 >&-", 0),
        ("set -o pipefail; wavefold generate pipes --size 9x9000 | head -n 1", 0),
        ("set -o pipefail; wavefold generate pipes --size 9x9000 --json | head -c 9", 0),
    ],
)
def test_output_that_cannot_be_written(tmp_path, line, code):
    done = shell(line, tmp_path)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert ("no space left" in done.stderr) == (code == 2)


def test_a_terminal_without_letters_is_no_reason_to_fail(wavefold):
    for arguments in (["generate", "pipes", "--size", "4x4", "-o", "m.png"], ["audit", "pipes"], ["--help"]):
        done_well(wavefold(*arguments, PYTHONIOENCODING="ascii"))
    entries = json.loads(done_well(wavefold("tilesets", "--json", PYTHONIOENCODING="ascii")))
    assert entries == json.loads(done_well(wavefold("tilesets", "--json")))


def make_app_fail(monkeypatch, error):
    def fail(**_):
        raise error

    monkeypatch.setattr(app, "app", fail)


def test_an_internal_error_is_one_sentence_and_a_code_of_its_own(monkeypatch, capsys):
    make_app_fail(monkeypatch, RuntimeError("oh\nno"))
    monkeypatch.delenv("WAVEFOLD_TRACEBACK", raising=False)
    assert app.run([]) == 70
    told = capsys.readouterr().err
    assert told.startswith("wavefold: internal error: RuntimeError: oh; please report it")
    assert "Traceback" not in told
    monkeypatch.setenv("WAVEFOLD_TRACEBACK", "1")
    assert app.run([]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_an_interruption_lists_the_files_that_are_complete(monkeypatch, capsys):
    def fail(files):
        def act(**_):
            outputs.record_written(*files)
            raise KeyboardInterrupt

        monkeypatch.setattr(app, "app", act)
        assert app.run([]) == 130
        return capsys.readouterr().err

    assert fail(["a.png", "b.png"]) == "wavefold: interrupted; these files are complete: a.png, b.png\n"
    assert fail([]) == "wavefold: interrupted; nothing was written\n"


def test_an_error_that_became_of_an_interrupt_is_no_failure(monkeypatch, capsys):
    monkeypatch.setattr(app, "has_arrived", lambda: True)
    for error in (RuntimeError("cannot import"), PluginError("cannot import")):
        make_app_fail(monkeypatch, error)
        assert app.run([]) == 130
        assert capsys.readouterr().err == "wavefold: interrupted; nothing was written\n"


def test_ctrl_c_while_importing_is_130():
    code = """
import sys
from wavefold.__main__ import main

class Interrupt:
    def find_spec(self, name, *_):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
sys.exit(main())
"""
    done = run_python(code)
    assert (done.returncode, done.stderr) == (130, "wavefold: interrupted; nothing was written\n")


def test_a_terminated_command_leaves_no_half_written_file(tmp_path):
    code = """
import os, signal, sys
from wavefold.__main__ import main
from wavefold.storage.files import write_atomically
from wavefold.cli import app

def run(arguments, started_at):
    try:
        with write_atomically("map.png") as file:
            file.write(b"half")
            os.kill(os.getpid(), signal.SIGTERM)
    except KeyboardInterrupt:
        return app.INTERRUPTED

app.run = run
sys.exit(main())
"""
    done = run_python(code, tmp_path)
    assert (done.returncode, list(tmp_path.iterdir())) == (128 + signal.SIGTERM, [])
