"""Workflows name what exists: make targets, extras, Python versions."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_commands_of_a_workflow_exist(path):
    text = path.read_text("utf-8")
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([\w-]+)", text)) <= targets
    assert set(re.findall(r"\[(test|dev|\w+)\]\"", text)) <= set(PROJECT["optional-dependencies"])


def test_the_lowest_supported_python_is_tested():
    text = (ROOT / ".github/workflows/tests.yml").read_text("utf-8")
    tested = re.findall(r'"(3\.\d+)"', re.search(r"python: \[(.*)\]", text)[1])
    assert PROJECT["requires-python"] == f">={tested[0]}"
