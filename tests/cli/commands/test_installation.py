"""`wavefold config`: what is in force, for eyes, pipes and programs."""

import json
import re
import sys
from pathlib import Path

import pytest
from running import complaint, done_well

from support import install
from wavefold.cli.commands import installation as command
from wavefold.config import load_config
from wavefold.plugins.kinds import KINDS
from wavefold.plugins.registry import BUILT_IN

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


# --- `wavefold plugins`, and what a broken plugin does to the other commands: nothing -------------


PARTS = {
    kind: {"broken": "part"} for kind in ("topology", "tileset", "join", "map_format", "order", "renderer")
}


@pytest.fixture
def broken(site):
    install(site, "broken-parts", PARTS, "raise RuntimeError('no')")


def test_all_kinds_are_listed_with_their_origin(wavefold):
    entries = json.loads(done_well(wavefold("plugins", "--json")))
    assert {each["kind"] for each in entries} - {"command"} == {kind for kind in KINDS if BUILT_IN.get(kind)}
    assert all(each["origin"] for each in entries)
    ours = [each for each in entries if each["origin"] == "built-in"]
    assert all(each["description"] for each in ours)
    assert len(ours) == sum(map(len, BUILT_IN.values()))


def test_one_kind_is_listed_as_a_table(wavefold):
    table = done_well(wavefold("plugins", "order"))
    assert "kind" in table
    assert len([line for line in table.splitlines() if line.startswith("order")]) == len(BUILT_IN["order"])
    assert "From the centre outward." in table
    assert "no kind 'ordre' of plugins; did you mean 'order'?" in complaint(wavefold("plugins", "ordre"))


def test_a_broken_plugin_is_reported_and_the_others_are_listed(wavefold, broken):
    done = wavefold("plugins")
    assert "pipes" in done_well(done)
    assert done.stdout.count("cannot be used") == done.stderr.count("RuntimeError: no") == len(PARTS)
    (entry,) = [each for each in json.loads(wavefold("plugins", "join", "--json").stdout) if each["problem"]]
    assert entry == {
        "kind": "join",
        "name": "broken",
        "description": "",
        "origin": "broken-parts 1.0",
        "problem": "loading it raised RuntimeError: no",
    }


def test_a_group_that_nothing_reads_is_reported(wavefold, site):
    install(site, "typing-error", {"tilesets": {"lawn": "lawn"}}, "lawn = 1")
    done = wavefold("plugins", "tileset")
    assert "lawn" not in done_well(done)
    assert (
        "'wavefold.tilesets' is not read: there is no kind 'tilesets' of plugins; did you mean 'tileset'?"
        in (done.stderr)
    )


def test_nothing_is_suggested_for_a_group_that_is_near_no_other(wavefold, site):
    install(site, "odd-group", {"nonsense": {"lawn": "lawn"}}, "lawn = 1")
    assert "no kind 'nonsense' of plugins; known: topology, tileset" in wavefold("plugins", "order").stderr


def test_a_function_that_returns_something_else_is_refused_with_its_package(wavefold, site):
    code = "def number():\n    return 42\ndef text(solution, **options):\n    return 'a picture'\n"
    install(site, "wrong-parts", {"tileset": {"odd": "number"}, "renderer": {"odd": "text"}}, code)
    end = "it must be a function that returns a"
    message = complaint(wavefold("generate", "odd", "--size", "3x3"))
    assert (
        f"the tileset 'odd' of wrong-parts 1.0 cannot be used: wrong_parts:number returned 42; {end}"
        in message
    )
    message = complaint(wavefold("generate", "pipes", "--size", "3x3", "--renderer", "odd", "-o", "map.png"))
    assert (
        "the renderer 'odd' of wrong-parts 1.0 cannot be used: wrong_parts:text returned 'a picture'"
        in message
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "pipes", "--size", "4x4", "--order", "scanline", "-o", "map.png"),
        ("tilesets",),
        ("patchwork", "build", "pipes", "--radius", "2", "--grids", "2", "-o", "map.json"),
        ("patchwork", "compare", "pipes", "--radius", "1", "--grids", "2", "--seeds", "1"),
        ("world", "pipes", "--region", "0:1,0:1", "--chunk", "24", "--refine", "off", "-o", "map.png"),
        ("explain", "pipes", "--size", "3x3"),
        ("config",),
        ("--help",),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_broken_plugin_breaks_no_other_command(wavefold, broken, arguments):
    done = wavefold(*arguments)
    assert done.returncode == 0, done.stderr


def test_a_broken_plugin_is_refused_where_it_is_named(wavefold, broken):
    named = [
        ("generate", "broken"),
        ("generate", "pipes", "--order", "broken"),
        ("generate", "pipes", "--renderer", "broken"),
        ("patchwork", "build", "pipes", "--join", "broken", "-o", "map.json"),
    ]
    for arguments in named:
        assert "of broken-parts 1.0 cannot be used: loading it raised RuntimeError" in complaint(
            wavefold(*arguments)
        )


def test_a_plugin_for_another_version_is_refused_where_it_is_named(wavefold, site, tmp_path):
    (tmp_path / "tiles.toml").write_text('format = 1\ntopology = "old"\n[tiles.a]\nsockets = "x"\n')
    parts = {kind: {"old": "part"} for kind in ("topology", "tileset", "join", "order", "choice", "renderer")}
    parts |= {"diagnostic": {"old": "part"}, "map_format": {".old": "part"}}
    install(site, "old-parts", parts, "raise RuntimeError('not even imported')", ["wavefold<0.1"])
    named = [
        ("generate", "old"),
        ("generate", "tiles.toml"),
        ("generate", "pipes", "--order", "old"),
        ("generate", "pipes", "--choice", "old"),
        ("generate", "pipes", "--renderer", "old"),
        ("generate", "pipes", "--diagnostic", "old"),
        ("generate", "pipes", "-o", "map.old"),
        ("patchwork", "build", "pipes", "--join", "old", "-o", "map.json"),
        ("patchwork", "compare", "pipes", "--joins", "old"),
    ]
    for arguments in named:
        text = complaint(wavefold(*arguments))
        assert "of old-parts 1.0 cannot be used: it requires wavefold <0.1, and this is" in text
    assert "\nold " not in done_well(wavefold("tilesets"))


def test_an_error_in_the_code_of_a_plugin_names_its_package(wavefold, site, monkeypatch):
    monkeypatch.delenv("WAVEFOLD_TRACEBACK", raising=False)
    code = """
        def lawn():
            raise ValueError("no seeds")

        def order(cell, *rest):
            raise KeyError(cell)
    """
    install(site, "my-lawn", {"tileset": {"lawn": "lawn"}, "order": {"worst": "order"}}, code)
    for arguments, error in (
        (["lawn"], "ValueError: no seeds"),
        (["pipes", "--order", "worst"], "KeyError: "),
    ):
        text = complaint(wavefold("generate", *arguments, "--size", "3x3"))
        assert f"the plugin package my-lawn 1.0 failed: {error}" in text
        assert "to its authors" in text
