"""The sample projects of the guide hold maps that are written as maps are written now."""

import importlib.util
import json
from pathlib import Path

import pytest
from ldtk_schema import find_violations

import wavefold as wf

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"


@pytest.fixture
def drawn():
    return wf.read_map(SAMPLES / "ldtk" / "meadow.ldtk")


def test_the_map_of_the_samples_is_valid(drawn):
    problem = drawn.problem()
    assert not wf.check(problem, wf.Solution(problem, drawn.patterns, wf.Statistics(), drawn.seed))
    assert list(find_violations(json.loads((SAMPLES / "ldtk" / "meadow.ldtk").read_text("utf-8")))) == []


def test_the_samples_are_what_is_written_for_their_map(drawn, tmp_path):
    solution = wf.Solution(drawn.problem(), drawn.patterns, wf.Statistics(), drawn.seed)
    for name in ("ldtk/meadow.ldtk", "godot/meadow.tscn"):
        folder = tmp_path / Path(name).parent
        folder.mkdir()
        solution.save(tmp_path / name)
        for file in folder.iterdir():
            if file.suffix != ".png":  # how it is compressed may differ
                assert file.read_bytes() == (SAMPLES / folder.name / file.name).read_bytes(), file.name


def test_the_script_writes_both_projects(tmp_path):
    spec = importlib.util.spec_from_file_location("make_samples", SAMPLES / "make_samples.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(tmp_path)
    assert (tmp_path / "ldtk" / "meadow.ldtk").exists()
    assert (tmp_path / "godot" / "meadow-atlas.png").exists()


def test_the_project_of_godot_names_files_that_are_there():
    folder = SAMPLES / "godot"
    for name in ("project.godot", "main.tscn", "meadow.tscn", "meadow-tileset.tres"):
        for word in (folder / name).read_text("utf-8").split('"'):
            if word.startswith("res://") or Path(word).suffix in (".png", ".tres"):
                assert (folder / word.removeprefix("res://")).exists(), word
