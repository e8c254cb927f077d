"""The builder: what it leaves in folders, and what it says if it fails."""

import os
import runpy
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from support import import_probes
from wasm_kernels import IN_WASM

import_probes()
pytest.importorskip("numba")
from wavefold.kernels.compile import build, targets, units  # noqa: E402
from wavefold.kernels.compile.probes import WordCounts  # noqa: E402
from wavefold.kernels.host import sources  # noqa: E402
from wavefold.kernels.host.remedies import pip_install  # noqa: E402

pytestmark = [pytest.mark.build, pytest.mark.skipif(IN_WASM, reason="builds nothing")]


@pytest.fixture
def quick(monkeypatch):
    """Nothing is compiled; a library has three bytes."""
    monkeypatch.setattr(build, "emit", lambda *_: b"")
    monkeypatch.setattr(build, "emit_table", lambda *_: b"")
    monkeypatch.setattr(build, "link", lambda _name, _objects, library, _exports: library.write_bytes(b"abc"))


def build_into(folder):
    return build.build_library(folder, "linux-x86_64", "", "0" * 16, lambda _line: None)


def test_a_library_is_all_that_is_left(quick, tmp_path):
    library = build_into(tmp_path)
    assert list(tmp_path.iterdir()) == [library]
    assert library.name == sources.library_name("0" * 16, sources.checksum_of(b"abc"), ".so")
    assert sources.is_library(library)


def test_what_a_killed_builder_leaves_is_covered_by_every_list_of_libraries(quick, tmp_path, monkeypatch):
    """At no time is there a file that git, a wheel or `make clean` would take for a source."""
    seen = []

    def look(change):
        def look_and_change(*arguments):
            seen.append({path.name for path in tmp_path.rglob("*")})
            return change(*arguments)

        return look_and_change

    monkeypatch.setattr(build, "link", look(build.link))
    monkeypatch.setattr(Path, "replace", look(Path.replace))
    library = build_into(tmp_path)
    build.write_whole(tmp_path / "kernels-0.ll", b"code")
    before_link, *drafts = seen
    assert before_link == set()
    assert len(drafts) == 2
    for names in drafts:
        assert all(fnmatch(name, "kernels-*") for name in names)
        (draft,) = names - {library.name}
        assert not sources.is_library(Path(draft))


def test_a_draft_is_removed_if_it_cannot_be_renamed(tmp_path):
    (tmp_path / "kernels-0.ll").mkdir()
    with pytest.raises(OSError, match=r"kernels-0\.ll"):
        build.write_whole(tmp_path / "kernels-0.ll", b"code")
    assert [path.name for path in tmp_path.iterdir()] == ["kernels-0.ll"]


# --- failures ------------------------------------------------------------------------------------


def fail(words: WordCounts) -> int:
    """Numba cannot compile this."""
    return words.nothing


def test_a_unit_that_cannot_be_compiled_is_named_in_one_line(monkeypatch):
    monkeypatch.setattr(units, "load_units", lambda _tested: None)
    monkeypatch.setattr(units, "UNITS", {"wf_fail": fail})
    with pytest.raises(RuntimeError) as raised:
        units.compile_unit("wf_fail")
    place = f"{__file__}, line {fail.__code__.co_firstlineno}: fail"
    why = "TypingError: Unknown attribute 'nothing' of type WordCounts"
    assert str(raised.value) == f"{place} cannot be compiled ({why})"
    assert "\n" in str(raised.value.__cause__)


BUILD = """
import runpy
from wavefold.kernels.compile import targets

def check_linker(name):
    from wavefold.kernels import units
    {}

targets.check_linker = check_linker
runpy.run_module("wavefold.kernels.compile", run_name="__main__")
"""


def run_builder(folder, statement, back_end="python"):
    """What the builder prints as errors if its first step is this."""
    command = [sys.executable, "-c", BUILD.format(statement), str(folder)]
    environment = os.environ | {"WAVEFOLD_KERNELS": back_end}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr.splitlines()


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("raise RuntimeError('x.py: f cannot be compiled\\\\ndetails')", "x.py: f cannot be compiled"),
        ("raise MemoryError", ": build: MemoryError"),
        ("raise SystemExit('no linker')", "no linker"),
        ("exec('1 +')", "SyntaxError: invalid syntax (<string>, line 1)"),
        ("units.signature_of(5)", ": signature_of: TypeError: "),
    ],
)
def test_the_last_line_of_a_build_that_fails_says_what_failed(tmp_path, statement, expected):
    *details, last = run_builder(tmp_path, statement)
    assert expected in last
    assert bool(details) == ("SystemExit" not in statement)


@pytest.mark.parametrize("back_end", ["", "compiled", "fast"])
def test_the_builder_needs_no_library(tmp_path, back_end):
    """It would look for the library that it is about to build, or build that first."""
    printed = run_builder(tmp_path, "raise SystemExit(units.BACK_END)", back_end)
    assert printed == ["python"]


@pytest.mark.parametrize("name", targets.TARGETS)
def test_a_missing_linker_is_named_before_anything_is_compiled(name, tmp_path, monkeypatch):
    monkeypatch.setattr(targets, "has_cc", lambda _name: False)
    monkeypatch.setattr(targets, "find_spec", lambda _package: None)
    with pytest.raises(SystemExit) as raised:
        build.build({name: tmp_path})
    message = str(raised.value)
    assert message.endswith(f"run: {pip_install('ziglang>=0.15')}")
    assert ("install a C compiler, cc, or run" in message) == (
        name == targets.host_target() and sys.platform == "linux"
    )


def test_a_linker_that_fails_is_shown_before_the_last_line(tmp_path, monkeypatch, capsys):
    command = [sys.executable, "-c", "import sys; print('pages'); sys.exit(3)"]
    monkeypatch.setattr(targets, "link_command", lambda *_: command)
    with pytest.raises(SystemExit, match=r"^the library for wasm32 cannot be linked \(exit code 3\)$"):
        targets.link("wasm32", [], tmp_path / "kernels.wasm", [])
    assert "pages" in capsys.readouterr().err


# --- installation --------------------------------------------------------------------------------


@pytest.fixture
def hook(monkeypatch):
    """What hatchling calls."""
    pytest.importorskip("hatchling")
    monkeypatch.delenv("WAVEFOLD_KERNELS", raising=False)
    defined = runpy.run_path(str(sources.CHECKOUT / "hatch_build.py"))
    return defined["LibraryHook"](str(sources.CHECKOUT), {}, None, None, "", "wheel")


def test_an_editable_installation_for_another_platform_is_refused(hook, monkeypatch):
    host = targets.host_target()
    other = next(name for name, target in targets.TARGETS.items() if target.wheel and name != host)
    monkeypatch.setenv("WAVEFOLD_TARGET", other)
    before = sorted(sources.FOLDER.glob("kernels-*"))
    message = f"^unset WAVEFOLD_TARGET: an editable installation is for {host}, not for {other}$"
    with pytest.raises(SystemExit, match=message):
        hook.initialize("editable", {})
    assert sorted(sources.FOLDER.glob("kernels-*")) == before


def test_a_wheel_gets_a_library_that_is_sound(hook, tmp_path):
    digest = sources.digest_sources()
    for name in ("copy-00000000", "00000000", "00000000 (1)"):
        (tmp_path / f"kernels-{digest}-{name}.so").write_bytes(b"abc")
    assert hook.find(tmp_path, ".so") is None
    sound = tmp_path / sources.library_name(digest, sources.checksum_of(b"abc"), ".so")
    sound.write_bytes(b"abc")
    assert hook.find(tmp_path, ".so") == sound
