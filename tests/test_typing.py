"""What type checkers and editors see of the public names."""

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from shutil import which
from typing import get_args

import pytest

import wavefold as wf
from wavefold.options import names
from wavefold.plugins.registry import available
from wavefold.solver.search.ladder import SEARCHES

ROOT = Path(__file__).parents[1]
MAY_BE_ANY = {  # the ends of names -> why
    "to_dict": "plain data for JSON, of any depth",
    "parameters": "plain data for JSON",
    "World.edits": "plain data for JSON",
    "World.replay": "plain data for JSON",
    "to_array": "an array of whatever type it was given",
    "positions": "arrays of whole numbers or of floats, by the kind of grid",
    "squared_length": "numbers or arrays of them",
    "check": "its overloads name the types",
}
WRONG = """
import wavefold as wf

tiles = wf.TileSet.load("pipes")
wf.generate(tiles, propagation="ac5")
wf.generate(tiles, search="backtracking")
wf.generate(tiles, undo="nothing")
wf.generate(tiles, refine="of")
wf.generate(tiles, constraints=[object()])
wf.Heuristics(corner="north")
wf.HexGrid(layout="upright")
wf.generate(tiles).image(tile_sice=4)
wf.calibrate(tiles, swepes=3)
"""


def list_annotations():
    """(name, annotation) of parameters, results and attributes of everything public."""
    for name in wf.__all__:
        value = getattr(wf, name)
        if inspect.isclass(value):
            for kind in value.__mro__:
                if kind.__module__.startswith("wavefold"):
                    yield from list_members(name, kind)
        elif callable(value):
            yield from ((name, str(each)) for each in value.__annotations__.values())


def list_members(name, kind):
    """The same of the public members of a class."""
    for member, value in vars(kind).items():
        function = (
            getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
        )
        if inspect.isfunction(function) and (not member.startswith("_") or member in ("__init__", "__new__")):
            yield from ((f"{name}.{member}", str(each)) for each in function.__annotations__.values())
    for member, each in vars(kind).get("__annotations__", {}).items():
        if not member.startswith("_"):
            yield f"{name}.{member}", str(each)


def test_public_names_hide_no_type():
    found = {name for name, annotation in list_annotations() if re.search(r"\bAny\b", annotation)}
    excused = {name for name in found if name.endswith(tuple(MAY_BE_ANY))}
    assert found - excused == set()
    assert {"check", "World.edits"} <= excused  # so the scan finds them


@pytest.mark.parametrize(
    ("literal", "known"),
    [
        (names.SearchName, SEARCHES),
        (names.OrderName, available("order")),
        (names.ChoiceName, available("choice")),
        (names.JoinName, available("join")),
        (names.Show, available("renderer")),
        (names.TileSetName, wf.tilesets()),
        (names.SampleName, wf.samples()),
    ],
    ids=str,
)
def test_literals_name_what_there_is(literal, known):
    parts = get_args(literal)
    listed = [name for part in parts for name in (get_args(part) or (part,)) if isinstance(name, str)]
    assert set(listed) == set(known)


def write_examples(folder):
    """The Python code of the README and of the examples, as files."""
    text = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    files = [folder / f"readme_{number}.py" for number in range(len(blocks))]
    for file, block in zip(files, blocks, strict=True):
        file.write_text(block, "utf-8")
    return [*files, *sorted((ROOT / "examples").rglob("src/**/*.py"))]


def run_checker(command, folder):
    """Its report on files of the folder."""
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr


def mypy_command(folder):
    cache = ROOT / ".mypy_cache"
    settings = folder / "mypy.ini"
    settings.write_text(f"[mypy]\nmypy_path = {ROOT / 'src'}\ncache_dir = {cache}\nfollow_imports = silent\n")
    return [sys.executable, "-m", "mypy", "--strict", "--config-file", str(settings)]


@pytest.mark.slow
def test_mypy_finds_no_error_and_no_hidden_type_in_examples(tmp_path):
    files = write_examples(tmp_path)
    status, report = run_checker([*mypy_command(tmp_path), *map(str, files)], tmp_path)
    assert status == 0, report
    readme = [str(file) for file in files if file.parent == tmp_path]
    status, report = run_checker([*mypy_command(tmp_path), "--disallow-any-expr", *readme], tmp_path)
    # A class with a parameter `Callable[..., X]` counts as `Any`, and so do the sizes of arrays.
    hidden = [
        line for line in report.splitlines() if "error:" in line and not re.search(r"ndarray|type\[", line)
    ]
    assert hidden == [], report


@pytest.mark.slow
def test_mypy_finds_misspelled_names(tmp_path):
    (tmp_path / "wrong.py").write_text(WRONG)
    _, report = run_checker([*mypy_command(tmp_path), "wrong.py"], tmp_path)
    lines = {int(number) for number in re.findall(r"wrong\.py:(\d+): error", report)}
    assert lines == set(range(5, 14)), report


@pytest.mark.slow
def test_pyright_finds_no_error_in_the_readme_and_the_misspelled_names(tmp_path):
    # Not in `examples`: there, a class attribute takes the place of the property `Topology.kind`.
    if which("pyright") is None:
        pytest.skip("pyright is not installed: pip install pyright")
    (tmp_path / "wrong.py").write_text(WRONG)
    write_examples(tmp_path)
    settings = tmp_path / "pyrightconfig.json"
    settings.write_text(json.dumps({"extraPaths": [str(ROOT / "src")], "pythonVersion": "3.11"}))
    _, report = run_checker(["pyright", "-p", str(settings), "--pythonpath", sys.executable], tmp_path)
    errors = re.findall(r"(\w+\.py):(\d+):\d+ - error", report)
    assert {int(number) for name, number in errors if name == "wrong.py"} == set(range(5, 14)), report
    assert [name for name, _ in errors if name != "wrong.py"] == [], report
