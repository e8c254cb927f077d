"""The server takes from the library only what the packages at its top offer."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

import wavefold
import wavefold_server

LIBRARY, SERVER = (Path(package.__path__[0]) for package in (wavefold, wavefold_server))
FRONTS = {"wavefold"} | {f"wavefold.{path.parent.name}" for path in LIBRARY.glob("*/__init__.py")}
MODULES = {"wavefold.api", "wavefold.errors"}  # without parts


def list_imports(folder):
    """{(module, name)} of all imports from the library; the name is None where a module is imported."""
    found = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                found |= {(node.module, alias.name) for alias in node.names}
            elif isinstance(node, ast.Import):
                found |= {(alias.name, None) for alias in node.names}
    return {(module, name) for module, name in found if module.split(".")[0] == "wavefold"}


def test_the_server_imports_no_inner_module():
    used = list_imports(SERVER)
    assert ("wavefold", None) in used, "imports are not found"
    assert {module for module, _ in used} <= FRONTS | MODULES


def test_the_server_imports_only_names_that_are_offered():
    hidden = {
        (module, name)
        for module, name in list_imports(SERVER)
        if name is not None and module in FRONTS and name not in import_module(module).__all__
    }
    assert hidden == set()


@pytest.mark.parametrize("module", sorted(FRONTS - {"wavefold"}))
def test_a_front_lists_what_it_offers(module):
    front = import_module(module)
    assert front.__doc__
    missing = [name for name in getattr(front, "__all__", ()) if not hasattr(front, name)]
    assert missing == []
