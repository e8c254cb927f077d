"""`wavefold config`: what is in force, for eyes, pipes and programs."""

import json
import re
import sys
from pathlib import Path

import pytest

from wavefold.cli.commands import installation as command
from wavefold.config import load_config

FILE = (
    '[generate]\nseed = 5\ntileset = "meadow"\n[terrain.limits]\nlawn = { a = [0, inf] }\n[fields]\na = 1\n'
)


@pytest.fixture
def shown(tmp_path, monkeypatch, capsys):
    """What the command prints in a folder with a file."""
    (tmp_path / ".git").mkdir()  # the top of its project
    monkeypatch.chdir(tmp_path)
    Path("wavefold.toml").write_text(FILE)
    monkeypatch.setenv("WAVEFOLD_WORLD_SEED", "9")

    def show(**options):
        command.config(**options)
        return capsys.readouterr().out

    return show


def test_json_can_be_read_back(shown):
    data = json.loads(shown(as_json=True))
    assert data["file"].endswith("wavefold.toml")
    assert data["origins"]["generate.seed"] == "wavefold.toml:2"
    assert data["origins"]["world.seed"] == "WAVEFOLD_WORLD_SEED"
    assert data["config"]["terrain"]["limits"] == {"lawn": {"a": [0.0, "inf"]}}
    assert load_config("", {}, data["config"]).config == load_config().config


def test_a_pipe_gets_a_file_that_says_the_same(shown):
    text = shown()
    assert "seed = 5  # wavefold.toml:2\n" in text
    assert "seed = 9  # WAVEFOLD_WORLD_SEED\n" in text
    assert "# radius is not set\n" in text
    expected = load_config().config
    Path("other.toml").write_text(text)
    assert load_config("other.toml", environment={}).config == expected


def test_the_defaults_are_those_of_no_source_at_all(shown):
    data = json.loads(shown(as_json=True, defaults=True))
    assert data["origins"] == {}
    assert data["config"]["generate"]["seed"] == 0


def test_another_file_can_be_named(shown):
    Path("other.toml").write_text("[generate]\nseed = 6\n")
    assert "seed = 6  # other.toml:2\n" in shown(path=Path("other.toml"))


def test_a_terminal_gets_a_table(shown, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown()).splitlines()
    assert lines[0] == "file: wavefold.toml"
    seed = next(line for line in lines if line.startswith("generate.seed"))
    assert seed.split() == ["generate.seed", "5", "wavefold.toml:2"]
