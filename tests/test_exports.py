"""What is public is what `__all__` lists, and all of it is explained."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import wavefold as wf
from write_stub import STUB, describe_stub

PUBLIC = [name for name in wf.__all__ if not name.startswith("__") and name != "CONTENT_VERSION"]


def test_every_listed_name_can_be_imported():
    assert [name for name in wf.__all__ if not hasattr(wf, name)] == []


def test_dir_shows_the_listed_names_in_order_and_once():
    assert dir(wf) == sorted(wf.__all__)
    assert len(set(wf.__all__)) == len(wf.__all__)


def test_type_checkers_and_editors_see_the_same_names():
    assert STUB.read_text(encoding="utf-8") == describe_stub(), "run tools/write_stub.py"


def test_importing_the_package_imports_neither_typing_nor_numpy():
    code = "import sys, wavefold; print(*sys.modules)"
    environment = os.environ | {"PYTHONPATH": str(Path(wf.__file__).parents[1])}
    command = [sys.executable, "-S", "-c", code]
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    loaded = set(shown.stdout.split())
    assert "wavefold._version" in loaded
    assert not loaded & {"typing", "re", "enum", "numpy", "wavefold.errors"}


def test_nothing_else_is_offered():
    with pytest.raises(AttributeError, match="no attribute 'WaveFunction'"):
        _ = wf.WaveFunction


def test_every_public_object_has_a_docstring():
    documented = {name: inspect.getdoc(getattr(wf, name)) for name in PUBLIC}
    # Dataclasses and named tuples write `Name(...)` by themselves.
    assert [name for name, text in documented.items() if not text or text.startswith(f"{name}(")] == []


def test_every_public_method_has_a_docstring():
    silent = [
        f"{name}.{attribute}"
        for name in PUBLIC
        if inspect.isclass(kind := getattr(wf, name))
        for attribute, value in vars(kind).items()
        if not attribute.startswith("_")
        and (inspect.isfunction(value) or isinstance(value, property | classmethod))
        and not inspect.getdoc(getattr(kind, attribute))
    ]
    assert silent == []


def test_every_error_descends_from_one_root():
    errors = [getattr(wf, name) for name in PUBLIC if inspect.isclass(getattr(wf, name))]
    errors = [each for each in errors if issubclass(each, Exception) and not issubclass(each, Warning)]
    assert len(errors) == 10
    assert all(issubclass(each, wf.WavefoldError) for each in errors)


def test_versions_have_the_documented_form():
    assert wf.__version__.count(".") == 2
    assert isinstance(wf.CONTENT_VERSION, int)
