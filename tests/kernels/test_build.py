"""The builder: what it leaves in folders, and what it says if it fails."""

from fnmatch import fnmatch
from pathlib import Path

import pytest

from support import import_probes
from wasm_kernels import IN_WASM

import_probes()
pytest.importorskip("numba")
from wavefold.kernels import sources  # noqa: E402
from wavefold.kernels.compile import build  # noqa: E402

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
