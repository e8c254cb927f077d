"""Constraints on the command line."""

import json

import numpy as np
import pytest
from running import complaint, done_well, run_python

import wavefold as wf
from wavefold.cli.constraint_options import FLAGS, read_flags
from wavefold.constraints.tables import build_constraint


@pytest.mark.parametrize(
    ("flag", "text", "constraint"),
    [
        ("connected", "floor", wf.Connected("floor")),
        ("connected", "floor,road", wf.Connected(["floor", "road"])),
        ("count", "exit=1", wf.Count("exit", 1, 1)),
        ("count", "tower=2..5", wf.Count("tower", 2, 5)),
        ("count", "lamp=3..", wf.Count("lamp", 3)),
        ("count", "lamp=..4", wf.Count("lamp", at_most=4)),
        ("count", "a=b=0", wf.Count("a=b", 0, 0)),
        ("border", "wall", wf.Border("wall")),
        ("border", "wall=north,corners", wf.Border("wall", ["north", "corners"])),
        ("connected", "sides=mm=,cc=", wf.Connected(sides=["mm=", "cc="])),
        ("separation", "chest=10", wf.Separation("chest", 10)),
        ("max_run", "corridor=6", wf.MaxRun("corridor", 6)),
        ("parallel", "road=2", wf.Parallel("road", 2)),
        ("room", "floor=9", wf.Room("floor", 9)),
        ("room", "floor=9..80", wf.Room("floor", 9, 80)),
        ("mirror", "horizontal", wf.Mirror("horizontal")),
        ("rotational", "2", wf.Rotational(2)),
        ("constraint", "area tile=lake area=0,0,8,4", wf.Area("lake", (0, 0, 8, 4))),
        ("constraint", "slope field=height tile='my road' at_most=0.5", wf.Slope("height", "my road", 0.5)),
        ("constraint", "border tile=wall ban=true", wf.Border("wall", ban=True)),
    ],
)
def test_options_become_constraints(flag, text, constraint):
    (table,) = read_flags({flag: [text]})
    assert build_constraint(table) == constraint


@pytest.mark.parametrize("flag", sorted(FLAGS))
def test_examples_in_messages_are_understood(flag):
    (table,) = read_flags({flag: [FLAGS[flag].example]})
    build_constraint(table)


def read_tile_names(path):
    """[row, column] the tiles of a map."""
    drawn = wf.read_map(path)
    return np.array(drawn.rules.tiles)[drawn.rules.tile_of][drawn.array]


def test_maps_have_what_the_options_ask_for(wavefold, tmp_path):
    asked = ("--count", "lamp=2..3", "--maps", "2", "--border", "cross=corners", "--separation", "lamp=3")
    done_well(wavefold("generate", "pipes", "--size", "8x6", *asked, "-o", "m-{seed}.json"))
    for seed in range(2):
        names = read_tile_names(tmp_path / f"m-{seed}.json")
        assert 2 <= (names == "lamp").sum() <= 3
        assert {str(names[y, x]) for y in (0, -1) for x in (0, -1)} == {"cross"}


def test_the_configuration_has_constraints_too(wavefold, tmp_path):
    (tmp_path / "wavefold.toml").write_text(
        '[generate]\ntileset = "pipes"\nsize = "6x5"\n'
        'constraints = [{ kind = "count", tile = "lamp", at_most = 0 }]\n'
    )
    done_well(wavefold("generate", "--border", "wall=north", "-o", "m.json"))
    names = read_tile_names(tmp_path / "m.json")
    assert "lamp" not in names
    assert set(names[0]) == {"wall"}
    text = (tmp_path / "wavefold.toml").read_text()
    (tmp_path / "wavefold.toml").write_text(text.replace('"count"', '"cout"'))
    assert "did you mean 'count'?" in complaint(wavefold("generate"))


def test_constraints_that_contradict_are_named(wavefold):
    asked = ("--border", "wall", "--pin", "0,0=cross", "--count", "lamp=1..")
    done = wavefold("explain", "pipes", "--size", "6x6", *asked, "--json")
    data = json.loads(done.stdout)
    assert {each["kind"] for each in data["requirements"]} == {"pin", "constraint"}
    assert "'wall' must be everywhere at the edge of the map" in data["sentence"]


def test_repaired_maps_have_what_the_options_ask_for(wavefold, tmp_path):
    done_well(wavefold("generate", "pipes", "--size", "8x6", "--seed", 2, "-o", "m.json"))
    done_well(wavefold("repair", "m.json", "--border", "wall", "--count", "lamp=1", "-o", "again.json"))
    names = read_tile_names(tmp_path / "again.json")
    assert {*names[0], *names[-1], *names[:, 0], *names[:, -1]} == {"wall"}
    assert (names == "lamp").sum() == 1


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (("--count", "lamp"), "--count 'lamp' is invalid: write TILE=N"),
        (("--separation", "lamp=near"), "--separation 'lamp=near' is invalid"),
        (("--connected", "flor"), "flor"),
        (("--separation", "lamp=99"), "larger than the map"),
        (("--constraint", "bordr tile=wall"), "did you mean 'border'"),
        (("--constraint", "border tiel=wall"), "did you mean 'tile'"),
        (("--border", "wall=up"), "there is no side 'up' of the map"),
        (("--mirror", "diagonal"), "there is no axis 'diagonal'"),
        (("--maps", "0"), "--maps"),
        (("--count", "2"), "--count '2' is invalid: write TILE=N"),
    ],
)
def test_options_that_make_no_sense_are_refused(wavefold, asked, reason):
    assert reason in complaint(wavefold("generate", "pipes", "--size", "6x6", *asked))


def test_help_about_constraints_imports_nothing_heavy():
    code = (
        "import sys; from wavefold.cli.app import run\n"
        "try: run(['generate', '--help'])\n"
        "except SystemExit: pass\n"
        "assert 'numpy' not in sys.modules"
    )
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    assert "--separation" in done.stdout
