"""Compiled kernels on disk: no state of the disk stops the program."""

import os
import subprocess
import sys
import threading
import time
import warnings

import pytest

from wavefold.errors import CacheWarning
from wavefold.kernels import kernel_store
from wavefold.kernels.kernel_store import KernelStore

NAME = "a.kernel"


def test_what_was_written_is_read_again(tmp_path):
    KernelStore([tmp_path / "new" / "kernels-1"]).write(NAME, b"code")
    assert KernelStore([tmp_path / "new" / "kernels-1"]).read(NAME) == b"code"
    assert KernelStore([tmp_path]).read(NAME) is None


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:-1], lambda data: b"x" + data[1:]])
def test_a_damaged_file_is_removed_and_can_be_written_again(tmp_path, damage):
    store = KernelStore([tmp_path])
    store.write(NAME, b"code")
    (tmp_path / NAME).write_bytes(damage((tmp_path / NAME).read_bytes()))
    assert store.read(NAME) is None
    assert store.find(NAME) is None
    store.write(NAME, b"code")
    assert store.read(NAME) == b"code"


def test_a_folder_that_cannot_be_written_is_replaced_by_the_next_with_one_warning(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    store = KernelStore([tmp_path / "file" / "kernels-1", tmp_path / "second"])
    with pytest.warns(CacheWarning, match="not a directory.*kept in"):
        store.write(NAME, b"code")
    store.write("b.kernel", b"code")
    assert store.read(NAME) == store.read("b.kernel") == b"code"


def test_without_any_folder_there_is_one_warning_and_no_error(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    for folders in ([], [tmp_path / "file"]):
        store = KernelStore(folders)
        with store.lock(NAME), pytest.warns(CacheWarning, match="every start compiles them again"):
            store.write(NAME, b"code")
        assert store.read(NAME) is None


def test_where_warnings_are_errors_the_line_is_printed_instead(capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KernelStore([]).write(NAME, b"code")
    assert "compiles them again" in capsys.readouterr().err


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kernel_store.os, "replace", fail)
    with pytest.warns(CacheWarning, match="no space left on device"):
        KernelStore([tmp_path]).write(NAME, b"code")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_can_only_be_read_is_used(tmp_path):
    warmed, second = tmp_path / "warmed", tmp_path / "second"
    KernelStore([warmed]).write(NAME, b"code")
    assert KernelStore([second, warmed]).read(NAME) == b"code"


def test_folders_that_no_version_uses_any_more_are_removed(tmp_path):
    ages = {"kernels-old": 40, "kernels-other": 1, "something": 99}
    for name, days in ages.items():
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (time.time() - days * 86_400,) * 2)
    KernelStore([tmp_path / "kernels-new"]).write(NAME, b"code")
    assert {path.name for path in tmp_path.iterdir()} == {"kernels-new", "kernels-other", "something"}


def test_reading_marks_a_folder_as_used(tmp_path):
    folder = tmp_path / "kernels-1"
    KernelStore([folder]).write(NAME, b"code")
    os.utime(folder, (1, 1))
    KernelStore([folder]).read(NAME)
    assert time.time() - folder.stat().st_mtime < 600


def test_only_so_many_folders_of_other_versions_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_store, "MOST_FOLDERS", 2)
    for age in range(4):
        (tmp_path / f"kernels-{age}").mkdir()
        os.utime(tmp_path / f"kernels-{age}", (time.time() - age * 60,) * 2)
    KernelStore([tmp_path / "kernels-new"]).write(NAME, b"code")
    assert {path.name for path in tmp_path.iterdir()} == {"kernels-0", "kernels-1", "kernels-new"}


def test_the_drafts_of_killed_processes_are_removed(tmp_path):
    draft = tmp_path / f".{NAME}.1.1"
    draft.write_bytes(b"half")
    os.utime(draft, (1, 1))
    KernelStore([tmp_path]).write(NAME, b"code")
    assert not draft.exists()


def test_a_second_process_waits_until_the_first_has_written(tmp_path):
    store, waiting = KernelStore([tmp_path]), KernelStore([tmp_path])
    order = []

    def wait() -> None:
        with waiting.lock(NAME):
            order.append(waiting.read(NAME))

    with store.lock(NAME):
        second = threading.Thread(target=wait)
        second.start()
        time.sleep(3 * kernel_store.POLL)
        order.append("written")
        store.write(NAME, b"code")
        second.join()
    assert order == ["written", b"code"]


def test_the_lock_of_a_process_that_was_killed_is_free(tmp_path):
    script = (
        "import os, sys; from pathlib import Path; from wavefold.kernels.kernel_store import KernelStore\n"
        "with KernelStore([Path(sys.argv[1])]).lock('a'): os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    started = time.monotonic()
    with KernelStore([tmp_path]).lock(NAME):
        assert time.monotonic() - started < kernel_store.LONGEST_WAIT / 2


def test_a_lock_that_takes_too_long_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_store, "LONGEST_WAIT", 0)
    with KernelStore([tmp_path]).lock(NAME), KernelStore([tmp_path]).lock(NAME):
        assert (tmp_path / "lock").exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="the temporary directory belongs to the user")
def test_a_temporary_folder_is_used_only_if_nobody_else_can_write_to_it(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_store.tempfile, "gettempdir", lambda: str(tmp_path))
    folder = tmp_path / f"wavefold-{os.getuid()}"
    assert kernel_store.temporary_home() == folder
    folder.chmod(0o777)
    assert kernel_store.temporary_home() is None
    folder.rmdir()
    folder.symlink_to(tmp_path)
    assert kernel_store.temporary_home() is None


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", ("wavefold",)),
        ("win32", "LOCALAPPDATA", ("wavefold",)),
        ("darwin", None, ("Library", "Caches", "wavefold")),
    ],
)
def test_the_cache_lies_in_the_folder_of_the_platform(monkeypatch, tmp_path, platform, variable, expected):
    monkeypatch.setattr(kernel_store.sys, "platform", platform)
    monkeypatch.setattr(kernel_store.Path, "home", lambda: tmp_path)
    if variable:
        monkeypatch.setenv(variable, str(tmp_path))
    assert kernel_store.cache_home() == tmp_path.joinpath(*expected)


def test_a_user_without_a_home_has_no_cache_there(monkeypatch):
    def fail():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(kernel_store.sys, "platform", "linux")
    monkeypatch.setattr(kernel_store.Path, "home", fail)
    assert kernel_store.cache_home() is None
