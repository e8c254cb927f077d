"""`wavefold audit` as people run it."""

import json
import os

import numpy as np
import pytest
from PIL import Image
from running import Screen, complaint, run_apart, run_here

from support import compiled_only

KEYS = """
    name topology deep verdict tiles patterns side_kinds impossible_pairs fragile_pairs impossible_triples
    sides pairs triples sub_complete never_appear certificate correlation correlation_length reach trials
    advice suggestions failures doubts seconds
"""

ODD_SET = """
format = 1
name = "odd"

[tiles.odd]
sockets = ["a", "b", "c", "d"]
"""


@pytest.fixture
def impossible(tmp_path):
    """A file with a tile set that can fill one cell and no more."""
    (tmp_path / "odd.toml").write_text(ODD_SET)
    return "odd.toml"


def test_help_tells_exit_codes(wavefold):
    assert "Exit codes" in wavefold("audit", "--help").stdout


def test_json_is_all_that_is_printed(wavefold, impossible):
    done = wavefold("audit", impossible, "--json")
    data = json.loads(done.stdout)
    assert set(data) >= set(KEYS.split())
    assert data["name"] == "odd"
    assert data["certificate"]["verdict"] == "impossible"
    assert done.returncode == 1


def test_a_set_that_can_make_nothing_is_exit_code_1(wavefold, impossible):
    done = wavefold("audit", impossible)
    assert done.returncode == 1, done.stderr
    assert "No map is possible" in done.stdout
    assert "Traceback" not in done.stderr


def test_what_looks_like_a_mistake_is_a_sentence_not_a_python_warning(wavefold, impossible):
    lines = wavefold("audit", impossible).stderr.splitlines()
    warnings = [line for line in lines if line.startswith("wavefold: warning: ")]
    assert any("which nothing matches" in line for line in warnings)
    assert len(warnings) == len(set(warnings))
    assert "TileSetWarning" not in "".join(lines)
    assert "warnings.warn" not in "".join(lines)


def test_warnings_stay_sentences_whatever_python_is_told(tmp_path, impossible):
    done = run_apart(["audit", impossible], tmp_path, {"PYTHONWARNINGS": "error::UserWarning"})
    assert done.returncode == 1
    assert "wavefold: warning: " in done.stderr


def test_a_page_is_written_and_the_last_line_says_where(wavefold, impossible, tmp_path):
    done = wavefold("audit", impossible, "--html", "page.html")
    assert "page.html" in done.stdout.splitlines()[-1]
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!doctype html>")
    assert sorted(os.listdir(tmp_path)) == ["odd.toml", "page.html"]


def test_json_and_a_page_can_be_had_at_once(wavefold, impossible, tmp_path):
    json.loads(wavefold("audit", impossible, "--json", "--html", "page.html").stdout)
    assert (tmp_path / "page.html").exists()


@compiled_only
def test_a_bundled_set_by_name(wavefold):
    done = wavefold("audit", "pipes")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("pipes: 9 tiles, 22 patterns, square cells\nSolving row by row")
    assert "\x1b" not in done.stdout
    for title in ("figures", "trials", "advice"):
        assert title in done.stdout
    assert "─" not in done.stdout


@compiled_only
def test_medieval_has_the_known_figures(wavefold):
    data = json.loads(wavefold("audit", "medieval", "--json").stdout)
    keys = ("patterns", "side_kinds", "impossible_pairs", "fragile_pairs", "impossible_triples")
    assert [data[key] for key in keys] == [924, 25, 512, 49, 15_343]


@compiled_only
def test_a_picture_is_learned_from(wavefold, tmp_path):
    pixels = np.indices((6, 6)).sum(axis=0) % 2 * 255
    Image.fromarray(pixels.astype(np.uint8)).save(tmp_path / "chess.png")
    data = json.loads(wavefold("audit", "chess.png", "--json", "--n", 2).stdout)
    assert data["patterns"] == 2
    assert data["verdict"] == "cannot fail row by row from the northwest"


@compiled_only
def test_a_sample_is_known_by_its_name(wavefold):
    assert json.loads(wavefold("audit", "kilim", "--json").stdout)["patterns"] > 50


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pipe"], "did you mean 'pipes'"),
        (["missing.toml"], "missing.toml"),
        (["missing.png"], "missing.png"),
        (["pipes", "--html", "page.pdf"], ".html"),
        (["pipes", "--html", "nowhere/page.html"], "create it first"),
        (["pipes", "--subset", "some"], "--subset is for mxgmn"),
        (["pipes", "--depth"], "--help"),
        ([], "--help"),
    ],
)
def test_bad_input_is_one_sentence(wavefold, tmp_path, arguments, words):
    assert words in complaint(wavefold("audit", *arguments))
    assert os.listdir(tmp_path) == []


def test_names_that_look_like_markup_are_printed_as_they_are(wavefold, tmp_path):
    (tmp_path / "set.toml").write_text(ODD_SET.replace("[tiles.odd]", '[tiles."[bold]x[/]"]'))
    assert "[bold]x[/]" in wavefold("audit", "set.toml").stdout


def test_on_a_terminal_there_is_a_bar_and_it_is_wiped(tmp_path, impossible):
    done = run_here(["audit", impossible, "--json"], tmp_path, {"TERM": "xterm"}, err=Screen)
    assert json.loads(done.stdout)["name"] == "odd"
    assert "\x1b[2K" in done.stderr
