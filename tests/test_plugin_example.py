"""`examples/plugin`, installed as any package: its own tests pass, and its parts are found by name."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import compiled_only

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "plugin"

pytest.importorskip("hatchling", reason="install hatchling to build examples/plugin")
pytestmark = compiled_only  # in processes of their own, kernels as plain Python would take long


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run Python in an empty folder, with the example built and installed; needs no network."""
    folder = tmp_path_factory.mktemp("example")
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet"]
    path = os.pathsep.join([str(folder / "site"), str(ROOT / "src")])
    environment = os.environ | {"PYTHONPATH": path, "COLUMNS": "100"}

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("-m", "pip", "install", *options, "--target", folder / "site", EXAMPLE)
    run.folder = folder
    return run


@pytest.mark.slow
def test_its_own_tests_pass(run):
    assert " passed" in run("-m", "pytest", "-v", EXAMPLE, "-p", "no:benchmark").splitlines()[-1]


def test_its_parts_are_listed_and_used_by_name(run):
    entries = json.loads(run("-m", "wavefold", "plugins", "--json"))
    found = [each for each in entries if each["origin"] == "wavefold-triangles 1.0"]
    names = {(each["kind"], each["name"]) for each in found}
    assert names == {
        ("topology", "triangle"),
        ("tileset", "garden"),
        ("constraint", "per_row"),
        ("map_format", ".rows"),
        ("diagnostic", "conflicts"),
    }
    assert all(each["description"] and not each["problem"] for each in found)
    flags = ["--constraint", "per_row tile=pond", "--diagnostic", "conflicts=c.csv"]
    flags += ["-o", "a.png", "-o", "a.rows"]
    printed = run("-m", "wavefold", "generate", "garden", "--size", "12x6", *flags)
    assert printed.startswith("a.png, a.rows, c.csv — garden, 12x6")
    kind, *rows = (run.folder / "a.rows").read_text().splitlines()
    assert (kind, len(rows)) == ("triangle", 6)
    assert all(row.split("\t").count("pond") <= 1 for row in rows)
