"""The command as people run it: a process, its output, its exit code."""

import json
import logging
import os
import signal
import sys
import warnings

import pytest
from PIL import Image
from running import complaint, done_well, run_apart, run_python

from wavefold._version import __version__


def test_the_version_is_told(wavefold):
    assert wavefold("--version").stdout.strip() == f"wavefold {__version__}"


COMMANDS = [
    "", "generate", "learn", "explain", "repair", "world", "patchwork", "patchwork build",
    "patchwork compare", "audit", "tilesets", "config", "bench",
]  # fmt: skip
HEAVY = ("numba", "numpy", "PIL", "wavefold.config")


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


def test_tilesets_are_listed_with_what_they_are(wavefold):
    lines = wavefold("tilesets").stdout.splitlines()
    assert any(line.startswith("pipes") and "Steel pipes" in line for line in lines)


def test_tilesets_as_json_are_only_json(wavefold):
    entries = json.loads(wavefold("tilesets", "--json").stdout)
    assert {"name", "topology", "tiles", "patterns", "description"} == set(entries[0])


def test_a_picture_is_written_and_the_last_line_says_where(wavefold, tmp_path):
    done = wavefold("generate", "pipes", "--size", "6x4", "--seed", 7, "-o", "map.png")
    assert done.returncode == 0, done.stderr
    assert "map.png" in done.stdout.splitlines()[-1]
    assert "seed 7" in done.stdout
    with Image.open(tmp_path / "map.png") as image:
        assert image.size == (144, 96)
    assert os.listdir(tmp_path) == ["map.png"]


def test_the_same_seed_gives_the_same_picture_byte_for_byte(wavefold, tmp_path):
    for name in ("one.png", "two.png"):
        assert wavefold("generate", "meadow", "--size", "8x8", "--seed", 3, "-o", name).returncode == 0
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_tile_size_makes_a_smaller_picture(wavefold, tmp_path):
    assert wavefold("generate", "pipes", "--size", "5x4", "--tile-size", 3, "-o", "map.png").returncode == 0
    with Image.open(tmp_path / "map.png") as image:
        assert image.size == (15, 12)


def test_json_without_a_file_carries_the_map_and_nothing_else_is_printed(wavefold):
    done = wavefold("generate", "pipes", "--size", "5x3", "--json")
    data = json.loads(done.stdout)
    (only,) = data["maps"]
    assert [len(row) for row in only["map"]] == [5, 5, 5]
    assert max(max(row) for row in only["map"]) < len(data["names"])
    assert only["stats"]["decisions"] > 0


def test_json_with_a_file_says_where_it_is(wavefold, tmp_path):
    data = json.loads(wavefold("generate", "pipes", "--size", "5x3", "--json", "-o", "map.png").stdout)
    assert data["outputs"] == ["map.png"]
    assert "map" not in data["maps"][0]
    assert (tmp_path / "map.png").exists()


def test_without_a_file_a_pipe_gets_one_letter_per_cell(wavefold):
    done = wavefold("generate", "pipes", "--size", "7x3")
    assert done.returncode == 0, done.stderr
    assert [len(line) for line in done.stdout.splitlines()] == [7, 7, 7]
    assert "decisions" in done.stderr


def test_a_wrapped_map_is_solved_too(wavefold):
    assert wavefold("generate", "pipes", "--size", "6x6", "--wrap", "--order", "scanline").returncode == 0


@pytest.mark.parametrize("order", ["entropy", "domain", "spiral", "random"])
def test_every_order_can_be_asked_for(wavefold, order):
    assert wavefold("generate", "pipes", "--size", "4x4", "--order", order, "--json").returncode == 0


def test_a_misspelt_tile_set_is_answered_with_the_nearest(wavefold):
    assert "did you mean 'pipes'" in complaint(wavefold("generate", "pipe"))


@pytest.mark.parametrize("size", ["64", "0x4", "4x", "axb", "-3x4", "4.5x4"])
def test_a_size_that_is_none_says_how_to_write_one(wavefold, size):
    assert "64x48" in complaint(wavefold("generate", "pipes", f"--size={size}"))


def test_layers_are_for_cubes(wavefold):
    assert "have no layers" in complaint(wavefold("generate", "pipes", "--size", "4x4x4"))


def test_an_unknown_ending_is_answered_with_the_nearest_or_all(wavefold, tmp_path):
    assert "did you mean '.png'" in complaint(wavefold("generate", "pipes", "-o", "map.pgn"))
    assert ".json, " in complaint(wavefold("generate", "pipes", "-o", "map"))
    assert os.listdir(tmp_path) == []


def test_a_missing_folder_is_told_before_the_work(wavefold):
    assert "create it first" in complaint(wavefold("generate", "pipes", "-o", "nowhere/map.png"))


@pytest.mark.parametrize("option", ["--order", "--search"])
def test_an_unknown_name_is_answered_with_known_ones(wavefold, option):
    message = complaint(wavefold("generate", "pipes", "--size", "4x4", option, "autos"))
    assert "did you mean 'auto'" in message


@pytest.mark.parametrize(
    "arguments",
    [["learn"], ["generate", "pipes", "--sead", "4"], ["generate", "pipes", "--seed", "x"], ["grow"]],
)
def test_wrong_usage_is_one_sentence_and_points_to_the_help(wavefold, arguments):
    assert "--help" in complaint(wavefold(*arguments))


def test_without_a_tile_set_the_configuration_is_named(wavefold):
    assert "no tile set is named: give one, or write" in complaint(wavefold("generate"))


def test_running_out_of_budget_is_exit_code_3_and_leaves_no_file(wavefold, tmp_path):
    done = wavefold("generate", "meadow", "--size", "20x20", "--budget", 3, "-o", "map.png")
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].startswith("wavefold: ")
    assert os.listdir(tmp_path) == []


def test_an_impossible_map_is_exit_code_1(wavefold, tmp_path):
    """A chessboard on an odd ring."""
    (tmp_path / "chess.toml").write_text(
        'format = 1\n[tiles.white]\nsockets = ["a", "a", "b", "b"]\n'
        '[tiles.black]\nsockets = ["b", "b", "a", "a"]\n'
    )
    done = wavefold("generate", "chess.toml", "--size", "5x5", "--wrap", "-o", "map.png")
    assert done.returncode == 1, done.stderr
    assert done.stderr.splitlines()[-1].startswith("wavefold: ")
    assert os.listdir(tmp_path) == ["chess.toml"]


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_ctrl_c_ends_with_130_and_no_half_file(tmp_path):
    """The signal comes while the map is being solved."""
    code = """
import os, signal, sys
import wavefold as wf
from wavefold.cli.app import run

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it

def interrupted(solver, budget, progress, really=wf.Solver.run):
    return really(solver, budget, lambda *_: os.kill(os.getpid(), signal.SIGINT))

wf.Solver.run = interrupted
sys.exit(run(["generate", "pipes", "--size", "8x8", "-o", "map.png"]))
"""
    done = run_python(code, tmp_path)
    assert done.returncode == 130, done.stderr
    assert done.stderr.splitlines()[-1].startswith("wavefold: interrupted")
    assert os.listdir(tmp_path) == []
