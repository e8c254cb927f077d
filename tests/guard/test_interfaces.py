"""Public names, commands and operations are those of the snapshots; each change is made on purpose."""

import json

import pytest
from interfaces import FOLDER, SNAPSHOTS, VERSIONS, WRITERS, list_versions

HOW = "if this change is intended: python tests/guard/interfaces.py"
RECORDED = json.loads(VERSIONS.read_text("utf-8"))


@pytest.mark.parametrize("file", SNAPSHOTS)
def test_the_interface_has_not_changed(file):
    installed = list_versions()
    other = {
        package: installed[package] for package in WRITERS[file] if installed[package] != RECORDED[package]
    }
    if other:
        pytest.skip(f"written with {RECORDED}, and these may write it differently: {other}")
    expected = (FOLDER / file).read_text("utf-8").splitlines()
    found = SNAPSHOTS[file]().splitlines()
    assert (set(expected) - set(found), set(found) - set(expected)) == (set(), set()), HOW
    assert found == expected, HOW
