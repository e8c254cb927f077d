"""The lowest versions are those that pyproject.toml allows, one of each dependency."""

import tomllib
from pathlib import Path

import pytest

from run_lowest import FOLDERS, list_lowest

TOP = Path(__file__).parents[2]
PROJECTS = [tomllib.loads((TOP / each / "pyproject.toml").read_text("utf-8"))["project"] for each in FOLDERS]


def test_every_dependency_has_one_lowest_version():
    pins = list(list_lowest(PROJECTS))
    names = [pin.partition("==")[0] for pin in pins]
    assert len(set(names)) == len(names)
    assert {"numpy==2.0", "httpx", "zarr", "fastapi", "anywidget", "pytest"} <= {*pins, *names}
    assert "mypy" not in names


def test_other_extras_are_not_pinned_and_tools_are_left_out():
    extras = {"a": ["wavefold[b]", "y>=2"], "b": ["x>=1.0rc1", "y>=2"], "dev": ["z"]}
    assert list(list_lowest([{"dependencies": [], "optional-dependencies": extras}])) == ["x==1.0rc1", "y==2"]


@pytest.mark.parametrize("requirement", ["numpy", "numpy==2", "numpy>=2,<3"])
def test_a_dependency_without_a_lowest_version_is_refused_by_name(requirement):
    project = {"dependencies": [requirement], "optional-dependencies": {}}
    with pytest.raises(SystemExit, match=requirement):
        list(list_lowest([project]))
