"""What type checkers and editors see of the public names."""

import inspect
import json
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path
from shutil import copytree, ignore_patterns, which
from typing import get_args

import pytest

import wavefold as wf
from public_types import list_findings
from wavefold.options import names
from wavefold.plugins.registry import available, load_all
from wavefold.solver.search.ladder import SEARCHES
from wavefold.solver.solution import DrawOptions, SaveOptions
from wavefold.tiles.tileset import LoadOptions

ROOT = Path(__file__).parents[1]
USERS_FUNCTION = "a function of the user, called with arrays or, if it cannot take them, with numbers"
KEYWORDS = "keyword arguments of another function"
OF_PACKAGES_ABOVE = "takes or returns types of packages above, or options of a format"
SAYS_LITTLE = {  # (ends of) places where a type says little -> why
    "allowed_at)": USERS_FUNCTION,
    "Slope.field": USERS_FUNCTION,
    "Fields(sources)": USERS_FUNCTION,
    "Fields.factors": USERS_FUNCTION,
    "Effective.driving(sources)": USERS_FUNCTION,
    "factors)": USERS_FUNCTION,
    "SampledFields.factor(factor)": USERS_FUNCTION,
    "Effective.learn_parts": KEYWORDS,
    "Effective.parts": KEYWORDS,
    "Effective.problem_parts": KEYWORDS,
    "Effective.solver_parts": KEYWORDS,
    "Effective.picture_parts": KEYWORDS,
    "JoinContext.region(more)": KEYWORDS,
    "MapFormat.write": OF_PACKAGES_ABOVE,
    "MapFormat.write_partial": OF_PACKAGES_ABOVE,
    "MapFormat.write_animation": OF_PACKAGES_ABOVE,
    "MapFormat.write_tiles": OF_PACKAGES_ABOVE,
    "MapFormat.check": OF_PACKAGES_ABOVE,
    "MapFormat.read": OF_PACKAGES_ABOVE,
    "MapFormat.read_tiles": OF_PACKAGES_ABOVE,
    ".to_array": "an array of whatever type it was given",
    "ProblemOptions.pins": "keys of a Mapping may not be of another type, and a TypedDict has no variables",
    "Config.service": "checked by the server",
    "ConfigFile.data": "a TOML document",
    "Model.meant": "a JSON document",
    "ArrayStruct.with_changes(arrays)": "arrays of several types",
    "ArrayStruct.arrays": "arrays of several types",
    "ArrayType.dtype": "any type of an array",
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
wf.TileSet([wf.Tile("a", ("s",) * 4)], order="rows")
wf.Border("sea", side=4)
wf.Border("sea", ban="no")
wf.World(tiles, refine="of")
wf.World(tiles, constraints=[object()])
wf.Patchwork(tiles, join=1)
wf.generate(tiles, order=lambda cell: cell)
wf.generate(tiles, choice=1)
wf.solve("ab", range(2), lambda: True, [("a", "b")])
wf.Solver(wf.Problem(tiles, wf.SquareGrid(2, 2)), propagation="ac5")
wf.Fields(height=wf.Noise(8)).beyond(height="edges")
wf.generate(tiles, pins=["sea"])
"""
FIRST_WRONG = 5


def test_types_of_public_names_say_something():
    found = list_findings()
    unexcused = [each for each in found if not each.place.endswith(tuple(SAYS_LITTLE))]
    assert unexcused == []
    places = [each.place for each in found]
    unused = [end for end in SAYS_LITTLE if not any(place.endswith(end) for place in places)]
    assert unused == [], "these exceptions are no longer needed"


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


def list_options(functions, given):
    """The names of all arguments but those that are always given."""
    parts = [(each, *getattr(each, "args", ())) for each in functions if each is not None]
    signatures = [inspect.signature(each).parameters.values() for each in chain(*parts)]
    return {each.name for each in chain(*signatures) if each.kind != each.VAR_KEYWORD} - given


def test_options_of_files_are_those_of_the_formats():
    formats = list(load_all("map_format").values())
    options = list_options([each.write for each in formats], {"solution", "path", "written"})
    drawn = DrawOptions.__annotations__.keys() | {"renderer"}
    assert options | drawn == SaveOptions.__annotations__.keys()
    options = list_options([each.read_tiles for each in formats], {"path"})
    assert options == LoadOptions.__annotations__.keys()


def write_code(folder):
    """Write wrong code, and the Python code of the README and of the examples; return the README's files."""
    text = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    readme = [f"readme_{number}.py" for number in range(len(blocks))]
    for file, block in zip(readme, blocks, strict=True):
        (folder / file).write_text(block, "utf-8")
    for source in (ROOT / "examples").rglob("src/*"):
        copytree(source, folder / source.name, ignore=ignore_patterns("__pycache__"))
    (folder / "wrong.py").write_text(WRONG, "utf-8")
    return readme


def run_checker(command, folder):
    """The errors a type checker reports, as (file, line, text); other files of the folder are checked too."""
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    report = result.stdout + result.stderr
    errors = re.findall(r"([\w.]+\.py):(\d+)(?::\d+)?(?: -|:) error:? (.*)", report)
    assert errors, report  # at least those of the wrong code
    return [(file, int(line), text) for file, line, text in errors]


def check_errors(errors):
    """All wrong lines are found, and nothing else."""
    wrong = {line for file, line, _ in errors if file == "wrong.py"}
    assert wrong == set(range(FIRST_WRONG, 1 + len(WRONG.splitlines()))), errors
    assert [each for each in errors if each[0] != "wrong.py"] == []


@pytest.mark.slow
def test_mypy_finds_wrong_arguments_and_no_error_or_hidden_type_in_examples(tmp_path):
    readme = write_code(tmp_path)
    settings = f"[mypy]\nstrict = True\nmypy_path = {ROOT / 'src'}\nfollow_imports = silent\n"
    settings += "".join(f"[mypy-{name[:-3]}]\ndisallow_any_expr = True\n" for name in readme)
    (tmp_path / "mypy.ini").write_text(settings, "utf-8")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(ROOT / ".mypy_cache"), "."]
    errors = run_checker(command, tmp_path)
    # A class with a parameter `Callable[..., X]` counts as `Any`, and so do the sizes of arrays.
    check_errors(
        [each for each in errors if not (each[0] in readme and re.search(r"ndarray|type\[", each[2]))]
    )


@pytest.mark.slow
def test_pyright_finds_wrong_arguments_and_no_error_in_examples(tmp_path):
    command = which("pyright")
    if command is None:
        pytest.skip("pyright is not installed, so its view of the types is not tested: pip install pyright")
    write_code(tmp_path)
    settings = {"extraPaths": [str(ROOT / "src")], "pythonVersion": "3.11"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    check_errors(run_checker([command, "-p", str(tmp_path), "--pythonpath", sys.executable], tmp_path))
