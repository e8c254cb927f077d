"""The pages about the service show what happens: every command and every line of Python runs, in order."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from running_server import run_server
from wavefold_server import ServiceSettings

TOP = Path(__file__).parents[3]
HTTP, PYTHON = TOP / "docs/guide/http.md", TOP / "docs/guide/client.md"
ADDRESS = "localhost:8317"
BASH = re.compile(r"^```bash\n(.*?)^```(?:\n+```(?:json|text)\n(.*?)^```)?", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
MARK = "---8<---"  # between the outputs of two blocks
PRELUDE = """pip() { :; }
wavefold() {
  if [ $1 = serve ]; then exec PYTHON -m wavefold "$@" --port PORT 2> server.log; fi
  PYTHON -m wavefold "$@"
}
trap 'kill %1; wait' EXIT
"""  # nothing is installed, and the port is a free one

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
    port = find_free_port()
    script = PRELUDE.replace("PYTHON", sys.executable).replace("PORT", port)
    script += "".join(f"{block}\necho '{MARK}'\n" for _, block, _ in BLOCKS)
    done = subprocess.run(
        ["bash", "-c", script.replace(ADDRESS, f"localhost:{port}")],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
        env=os.environ | {"COLUMNS": "100"},
    )  # fmt: skip
    errors = [line for line in done.stderr.splitlines() if not line.startswith("wavefold: the key ")]
    assert errors == []
    return done.stdout.replace(f"localhost:{port}", ADDRESS).split(MARK + "\n")


def find_free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return str(free.getsockname()[1])


def pattern_of(shown):
    """What a page shows as a regular expression: `…` stands for anything."""
    return ".*?".join(re.escape(part) for part in shown.strip().split("…"))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(BLOCKS)), ids=[f"line-{line}" for line, _, _ in BLOCKS])
def test_a_block_prints_what_the_page_shows(outputs, number):
    _, block, shown = BLOCKS[number]
    printed = outputs[number].strip()
    assert "urn:wavefold:problem" not in printed or (shown and "problem" in shown), printed
    if shown is not None:
        assert re.fullmatch(pattern_of(shown), printed, re.DOTALL), f"{block}\nprints:\n{printed}"


@pytest.mark.slow
def test_the_large_map_of_the_page_is_a_job(outputs):
    """With the limits that every server has: a map that is answered at once has no other state to tell."""
    number = next(number for number, (_, block, _) in enumerate(BLOCKS) if "/events" in block)
    assert re.search("^event: (queued|running)$", outputs[number], re.MULTILINE)


def test_the_first_page_waits_for_the_server_too():
    waiting = next(line for line in BLOCKS[0][1].splitlines() if "/readyz" in line)
    assert f"$ {waiting}\n" in (TOP / "README.md").read_text("utf-8")


def test_the_python_of_the_tour_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    text = PYTHON.read_text("utf-8")
    with run_server(ServiceSettings(data=tmp_path / "wavefold-data")) as address:
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start()) + 1
            code = block[1].replace(ADDRESS, address.removeprefix("http://"))
            exec(compile("\n" * line + code, str(PYTHON), "exec"), names)  # a traceback names the page's line
    assert list(tmp_path.glob("*.png"))
    assert re.search(r"^\d+ of \d+$", capsys.readouterr().out, re.MULTILINE)  # the progress of a job
