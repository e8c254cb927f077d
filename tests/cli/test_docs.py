"""What the documentation shows is what happens: every Python block runs, page by page."""

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
from running import run_here
from typer.main import get_command

import wavefold as wf
from wavefold.cli.app import app

TOP = Path(__file__).parents[2]
PAGES = [TOP / "README.md", *sorted((TOP / "docs").rglob("*.md"))]
REFERENCE = TOP / "docs" / "reference.md"
COMMAND = re.compile(r"^wavefold [a-z].*$", re.MULTILINE)
NEEDS_SERVER = ("client.md", "http.md")  # server/tests/client/test_pages.py runs them
WRITING = ("-o", "--html", "--save", "--export", "--diagnostic")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
NUMBA = "from numba import"
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def command_lines(page):
    """The commands in the console blocks of a page, without what they print ("wavefold: …")."""
    return COMMAND.findall(page.read_text("utf-8"))


def pages_with_python():
    """Those that run here; a page that uses Numba needs it."""
    for page in PAGES:
        text = page.read_text("utf-8")
        if BLOCK.search(text) and page.name not in NEEDS_SERVER:
            marks = [pytest.mark.build] if NUMBA in text else []
            yield pytest.param(page, marks=marks, id=page.name)


@pytest.mark.parametrize("page", list(pages_with_python()))
def test_the_python_on_a_page_runs_in_order(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    text = page.read_text("utf-8")
    if NUMBA in text:
        pytest.importorskip("numba")
    blocks = list(BLOCK.finditer(text))
    assert blocks
    for block in blocks:
        line = text.count("\n", 0, block.start()) + 1
        # Padding, so that a traceback names the line of the page.
        exec(compile("\n" * line + block.group(1), str(page), "exec"), names)


@pytest.mark.parametrize("page", [page for page in PAGES if command_lines(page)], ids=lambda p: p.name)
def test_the_commands_on_a_page_need_no_file_that_is_not_there(page):
    """Whoever types them one after another in an empty folder has all that they read."""
    written: set[str] = set()
    for line in command_lines(page):
        words = shlex.split(line, comments=True)
        outputs = {after for flag, after in pairwise(words) if flag in WRITING}
        read = {word for word in words if Path(word).suffix and word not in outputs}
        assert read <= written, line
        written |= outputs


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if command_lines(page) and page.name not in NEEDS_SERVER],
    ids=lambda p: p.name,
)
def test_the_commands_on_a_page_run_in_order(page, tmp_path):
    for line in command_lines(page):
        words = shlex.split(line, comments=True)[1:]
        code = run_here([{"100": "2"}.get(word, word) for word in words], tmp_path, {}).returncode
        assert code == (words[0] == "explain"), line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


def test_every_page_is_in_the_navigation():
    navigation = (TOP / "mkdocs.yml").read_text("utf-8")
    missing = [page.name for page in PAGES[1:] if page.relative_to(TOP / "docs").as_posix() not in navigation]
    assert missing == []


def pages_linked_from(page):
    targets = ((page.parent / target).resolve() for target in LINK.findall(page.read_text("utf-8")))
    return {target for target in targets if target.suffix == ".md"}


def test_every_guide_is_linked_from_the_first_page():
    guides = set((TOP / "docs" / "guide").glob("*.md"))
    assert guides - pages_linked_from(TOP / "docs" / "index.md") == set()


def test_links_lead_from_the_first_page_to_every_other():
    found, new = set(), {TOP / "docs" / "index.md"}
    while new:
        found |= new
        new = set().union(*map(pages_linked_from, new)) - found
    assert set(PAGES[1:]) - found == set()


def test_the_reference_has_every_public_name():
    words = set(re.findall(r"\w+", REFERENCE.read_text("utf-8")))
    assert [name for name in wf.__all__ if name not in words] == []


def test_the_reference_has_every_command():
    text = REFERENCE.read_text("utf-8")
    assert [name for name in command_names(get_command(app)) if f"`wavefold {name}" not in text] == []


def command_names(group, prefix=""):
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from command_names(command, f"{prefix}{name} ")
        else:
            yield prefix + name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_on_a_page_needs_no_inner_modules(page):
    code = "\n".join(BLOCK.findall(page.read_text("utf-8")))
    modules = set(re.findall(r"^(?:from|import) (wavefold\.\S+)", code, re.MULTILINE))
    assert modules <= {"wavefold.testing", "wavefold.client"}
