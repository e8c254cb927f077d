"""How commands end when something is in the way: one sentence, and never exit code 1."""

import json
import os
import subprocess

import pytest
from running import COMMAND, complaint, done_well, run_python

from wavefold.cli import app, ledger

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


@pytest.mark.parametrize("command", ["generate", "explain", "audit"])
def test_subsets_are_for_files_that_have_some(wavefold, command):
    assert "has no subsets" in complaint(wavefold(command, "pipes", "--subset", "x"))


def test_a_subset_in_the_configuration_is_told_with_its_line(wavefold, tmp_path):
    (tmp_path / "wavefold.toml").write_text('[generate]\ntileset = "pipes"\nsubset = "x"\n')
    assert "line 3: subset is for mxgmn's .xml files" in complaint(wavefold("generate"))


def broken(monkeypatch, error):
    def fail(**_):
        raise error

    monkeypatch.setattr(app, "app", fail)


def test_a_mistake_of_ours_is_one_sentence_and_a_code_of_its_own(monkeypatch, capsys):
    broken(monkeypatch, RuntimeError("oh\nno"))
    monkeypatch.delenv("WAVEFOLD_TRACEBACK", raising=False)
    assert app.run([]) == 70
    told = capsys.readouterr().err
    assert told.startswith("wavefold: internal error: RuntimeError: oh; please report it")
    assert "Traceback" not in told
    monkeypatch.setenv("WAVEFOLD_TRACEBACK", "1")
    assert app.run([]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_an_interruption_tells_what_is_there(monkeypatch, capsys):
    def fail(files):
        def act(**_):
            ledger.keep()
            ledger.note(*files)
            raise KeyboardInterrupt

        monkeypatch.setattr(app, "app", act)
        assert app.run([]) == 130
        return capsys.readouterr().err

    assert fail(["a.png", "b.png"]) == "wavefold: interrupted; these files are whole: a.png, b.png\n"
    assert fail([]) == "wavefold: interrupted; nothing was written\n"


def test_ctrl_c_while_importing_is_130():
    code = """
import sys
from wavefold.cli import main

class Interrupt:
    def find_spec(self, name, *_):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
main()
"""
    done = run_python(code)
    assert (done.returncode, done.stderr) == (130, "wavefold: interrupted; nothing was written\n")
