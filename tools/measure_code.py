"""Measure the code: sizes, imports, public names, layers, terms and tests.

python tools/measure_code.py          # the table in docs/design/measures.md
python tools/measure_code.py files    # measures whose name contains this word
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
LIBRARY, SERVER = ROOT / "src/wavefold", ROOT / "server/src/wavefold_server"
TESTS = ROOT / "tests", ROOT / "server/tests"
FRONT_PARTS = 2  # "wavefold.solver": a package or module directly below `wavefold`


def list_modules(*folders: Path) -> list[Path]:
    """The Python files in these folders."""
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def count_lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def count_entries() -> str:
    """Folders and modules directly in `src/wavefold`."""
    folders = [path for path in LIBRARY.iterdir() if path.is_dir() and path.name != "__pycache__"]
    modules = list(LIBRARY.glob("*.py"))
    return f"{len(folders) + len(modules)} ({len(folders)} folders, {len(modules)} modules)"


def count_code() -> str:
    """Lines of Python in the library and in the server."""
    return " / ".join(f"{sum(map(count_lines, list_modules(each))):,}" for each in (LIBRARY, SERVER))


def count_files() -> str:
    """Python files of both distributions, and how many are short."""
    lines = [count_lines(path) for path in list_modules(LIBRARY, SERVER)]
    library = len(list_modules(LIBRARY))
    short, shorter = (sum(each < limit for each in lines) for limit in (120, 60))
    parts = f"{library} library, {len(lines) - library} server"
    return f"{len(lines)} ({parts}; {short} under 120 lines, {shorter} under 60)"


def list_imports(path: Path) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def count_import_lines() -> str:
    """Lines of import statements in both distributions."""
    nodes = [node for path in list_modules(LIBRARY, SERVER) for node in list_imports(path)]
    return f"{sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes):,}"


def is_module(name: str) -> bool:
    path = LIBRARY.parent / name.replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def imported_modules(paths: Iterable[Path]) -> set[str]:
    """Modules of the library that these files import."""
    found = set()
    for path in paths:
        for node in list_imports(path):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif node.module and not node.level:
                full = {f"{node.module}.{alias.name}" for alias in node.names}
                found.update(name if is_module(name) else node.module for name in full)
    return {name for name in found if name.split(".")[0] == "wavefold"}


def count_inner_imports() -> str:
    """Modules inside packages of the library that the server imports."""
    names = imported_modules(list_modules(SERVER))
    return str(sum(name.count(".") >= FRONT_PARTS for name in names))


def count_public_names() -> str:
    """Names in `wavefold.__all__`."""
    import wavefold

    return str(len(wavefold.__all__))


def count_layers() -> str:
    """Tiers in the import contract."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return str(len(project["tool"]["importlinter"]["contracts"][0]["layers"]))


def count_terms() -> str:
    """Terms in the glossary of the design."""
    words = (ROOT / "docs/design/overview.md").read_text("utf-8").split("## Words")[1].split("\n## ")[0]
    return str(len(re.findall(r"\*[^*]+\*", " ".join(re.findall(r"^\| (\*.+?) \|", words, re.MULTILINE)))))


def count_tested_modules() -> str:
    """Modules with functions that have a test file of their name, or of their package and name."""
    tests = {path.stem for folder in TESTS for path in folder.rglob("test_*.py")}
    modules = [path for path in list_modules(LIBRARY, SERVER) if path.stem != "__init__"]
    modules = [path for path in modules if re.search(r"^\s*def ", path.read_text("utf-8"), re.MULTILINE)]
    named = [
        path for path in modules if {f"test_{path.stem}", f"test_{path.parent.name}_{path.stem}"} & tests
    ]
    return f"{100 * len(named) / len(modules):.0f} % ({len(named)} of {len(modules)})"


def files_on_path(call: Callable[[], Any]) -> int:
    """How many files of the library this thread runs code of; what other threads run is not counted."""
    seen: set[str] = set()

    def note(frame: FrameType, _event: str, _argument: Any) -> None:
        seen.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return sum(Path(name).is_relative_to(LIBRARY) for name in seen)


def count_path_files() -> str:
    """Files on the path of three calls, without the compiled kernels."""
    import wavefold as wf

    tiles = wf.TileSet.load("terrain")
    calls: tuple[Callable[[int], Any], ...] = (
        lambda seed: wf.generate(tiles, wf.SquareGrid(24, 16), seed=seed),
        lambda seed: wf.World(tiles, seed=seed).chunk(0, 0),
        lambda seed: wf.Patchwork(tiles, seed=seed).populate((0, 0)),
    )
    counts = []
    for call in calls:
        call(0)  # imports what is imported late, and fills caches
        counts.append(files_on_path(lambda call=call: call(1)))  # type: ignore[misc]
    return " / ".join(map(str, counts))


MEASURES: dict[str, tuple[Callable[[], str], str, str]] = {  # {measure: (function, before, target)}
    "entries in `src/wavefold`": (count_entries, "38", "≤ 24"),
    "lines of code, library / server": (count_code, "64,000 / 14,400", "library ≤ 55,000"),
    "Python files": (count_files, "537 (222 under 120 lines, 103 under 60)", "about 345"),
    "lines of imports": (count_import_lines, "7,317", "fewer"),
    "inner modules of the library that the server imports": (count_inner_imports, "about 80", "0"),
    "names in the public list": (count_public_names, "in three lists", "one list"),
    "layers in the import contract": (count_layers, "23", "5"),
    "terms in the glossary": (count_terms, "317", "≤ 80"),
    "modules with a test file of the same name": (count_tested_modules, "49 %", "all"),
    "files on the path of `generate` / `World.chunk` / `Patchwork.populate`": (count_path_files, "–", "–"),
}


def main(words: list[str]) -> None:
    print("| measure | before | target | now |\n|---|---|---|---|")
    for name, (measure, before, target) in MEASURES.items():
        if not words or any(word in name for word in words):
            print(f"| {name} | {before} | {target} | {measure()} |")


if __name__ == "__main__":
    main(sys.argv[1:])
