"""The pages about the service show what happens: every command and every line of Python runs, in order."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from running_server import run_server
from wavefold.service import Limits, ServiceSettings

TOP = Path(__file__).parents[2]
HTTP, PYTHON = TOP / "docs/guide/http.md", TOP / "docs/guide/client.md"
ADDRESS = "localhost:8317"
BASH = re.compile(r"^```bash\n(.*?)^```(?:\n+```(?:json|text)\n(.*?)^```)?", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
MARK = "---8<---"  # between the outputs of two blocks
SAMPLE = TOP / "src/wavefold/samples/islands.png"  # the reader's own picture
PRELUDE = f"""pip() {{ :; }}
wavefold() {{ [ $1 = serve ] || {sys.executable} -m wavefold "$@"; }}
"""  # the server runs already
LIMITS = Limits(quick_cells=4_096)  # a map that is a job need not be large

BLOCKS = [(HTTP.read_text("utf-8").count("\n", 0, each.start()) + 1, each[1], each[2])
          for each in BASH.finditer(HTTP.read_text("utf-8"))]  # fmt: skip


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """What each block of the page prints, all of them run by one bash in one folder."""
    if shutil.which("curl") is None or shutil.which("jq") is None:
        pytest.skip(
            "NOT TESTED: the examples of docs/guide/http.md need curl and jq, which are not installed"
        )
    folder = tmp_path_factory.mktemp("page")
    settings = ServiceSettings(data=folder / "wavefold-data", workers=2, limits=LIMITS)
    with run_server(settings) as address:
        shutil.copy(SAMPLE, folder / "sample.png")
        script = PRELUDE + "".join(f"{block}\necho '{MARK}'\n" for _, block, _ in BLOCKS)
        script = script.replace(ADDRESS, address.removeprefix("http://"))
        done = subprocess.run(
            ["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=120, check=False,
            env=os.environ | {"COLUMNS": "100"},
        )  # fmt: skip
    errors = [line for line in done.stderr.splitlines() if not line.startswith("wavefold: the key ")]
    assert errors == []
    return done.stdout.replace(address.removeprefix("http://"), ADDRESS).split(MARK + "\n")


def pattern_of(shown):
    """What a page shows as a regular expression: `…` stands for anything."""
    return ".*?".join(re.escape(part) for part in shown.strip().split("…"))


@pytest.mark.parametrize("number", range(len(BLOCKS)), ids=[f"line-{line}" for line, _, _ in BLOCKS])
def test_a_block_prints_what_the_page_shows(outputs, number):
    _, block, shown = BLOCKS[number]
    printed = outputs[number].strip()
    assert "urn:wavefold:problem" not in printed or (shown and "problem" in shown), printed
    if shown is not None:
        assert re.fullmatch(pattern_of(shown), printed, re.DOTALL), f"{block}\nprints:\n{printed}"


def test_the_python_of_the_tour_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(SAMPLE, tmp_path / "sample.png")
    names = {"__name__": "__main__"}
    text = PYTHON.read_text("utf-8")
    with run_server(ServiceSettings(data=tmp_path / "wavefold-data", workers=2, limits=LIMITS)) as address:
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start()) + 1
            code = block[1].replace(ADDRESS, address.removeprefix("http://"))
            exec(compile("\n" * line + code, str(PYTHON), "exec"), names)  # a traceback names the page's line
    assert list(tmp_path.glob("*.png"))
