"""Results on disk: found by the next process, never stale, never damaged."""

import os

import numpy as np
import pytest

from wavefold.storage.cache import DiskCache, decode_arrays
from wavefold.storage.sections import checksum

MADE = {"cells": np.arange(6, dtype=np.int32).reshape(2, 3), "solve": np.array(True)}


def is_found(cache, key):
    """Whether there is a result of this key, which must be what was made."""
    made = []
    found = cache.get(key, lambda: made.append(key) or MADE)
    assert found.keys() == MADE.keys()
    for name, array in found.items():
        assert array.dtype == MADE[name].dtype
        assert (array == MADE[name]).all()
    return not made


def test_a_result_is_found_by_its_key(tmp_path):
    assert not is_found(DiskCache([tmp_path / "new"]), ("a", 1))
    for key, known in ((("a", 1), True), (("a", 2), False), (("a",), False), (("a", 1), True)):
        assert is_found(DiskCache([tmp_path / "new"]), key) == known


def test_other_sources_make_other_results(tmp_path, monkeypatch):
    cache = DiskCache([tmp_path])
    is_found(cache, ("a",))
    monkeypatch.setattr("wavefold.storage.cache.digest_sources", lambda: "of another version")
    assert not is_found(cache, ("a",))


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:-1], lambda data: data[:40] + data])
def test_a_damaged_file_is_written_again(tmp_path, damage):
    cache = DiskCache([tmp_path])
    is_found(cache, ("a",))
    (path,) = tmp_path.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert not is_found(cache, ("a",))
    assert is_found(cache, ("a",))


def test_what_has_a_checksum_but_no_arrays_is_damaged():
    assert decode_arrays(checksum(b"text") + b"text") is None


def test_without_a_folder_that_works_everything_is_made_again(tmp_path):
    (tmp_path / "file").write_text("no folder")
    for folders in ([], [tmp_path / "file" / "results"]):
        cache = DiskCache(folders)
        assert not is_found(cache, ("a",))
        assert not is_found(cache, ("a",))
    second = DiskCache([tmp_path / "file" / "results", tmp_path / "other"])
    assert not is_found(second, ("a",))
    assert is_found(second, ("a",))


def test_a_folder_that_cannot_be_written_is_read(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError

    DiskCache([tmp_path]).get([1], lambda: {"a": np.arange(3)})
    monkeypatch.setattr(os, "utime", refuse)
    found = DiskCache([tmp_path]).get([1], lambda: pytest.fail("it was made again"))
    assert found["a"].tolist() == [0, 1, 2]


def test_what_was_not_used_for_longest_is_removed(tmp_path):
    cache = DiskCache([tmp_path])
    is_found(cache, ("a",))
    is_found(cache, ("b",))
    for path in tmp_path.iterdir():
        os.utime(path, (1, 1))
        cache.room = 5 * path.stat().st_size // 2
    assert is_found(cache, ("a",))  # used just now
    is_found(cache, ("c",))
    assert not is_found(cache, ("b",))
