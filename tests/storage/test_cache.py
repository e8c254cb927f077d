"""The bounded cache: what it keeps, and how much of it."""

import os
import threading

import numpy as np
import pytest

from wavefold.kernels.host.checkpoint import Stopped, checking
from wavefold.storage.cache import RESULT, BoundedCache, DiskCache, array_bytes, decode_arrays


def test_a_bounded_cache_computes_things_once_and_keeps_the_latest():
    cache, made = BoundedCache(2), []
    for name in "abacab":
        cache.get(name, lambda name=name: made.append(name))
    assert made == list("abcb")
    with pytest.raises(ZeroDivisionError):
        cache.get("z", lambda: 1 // 0)
    assert cache.get("z", lambda: 5) == 5


def test_a_cache_of_arrays_holds_as_many_bytes_as_fit():
    cache = BoundedCache(3000, array_bytes)
    for name in "abc":
        cache.get(name, lambda: np.zeros(250, np.int32))
    assert cache.peek("a") is None
    assert cache.taken == 2 * 1256
    cache.get("huge", lambda: np.zeros(10_000, np.int32))
    assert cache.peek("huge") is not None
    assert cache.peek("c") is None
    cache.forget()
    assert cache.taken == 0


def test_a_cache_holds_at_most_so_many_things():
    cache = BoundedCache(1000, len, most=2)
    for name in "abc":
        cache.get(name, lambda name=name: name)
    assert (cache.peek("a"), cache.peek("b"), cache.peek("c")) == (None, "b", "c")
    assert cache.taken == 2


def test_a_limit_that_stops_one_thread_does_not_stop_those_who_wait_for_the_same_thing():
    cache, begun, release, results = BoundedCache(2), threading.Event(), threading.Event(), []

    def make_and_stop():
        begun.set()
        release.wait(300)
        raise Stopped("out of time")

    def ask_first():
        with pytest.raises(Stopped):
            cache.get("a", make_and_stop)

    first = threading.Thread(target=ask_first)
    first.start()
    begun.wait(300)
    second = threading.Thread(target=lambda: results.append(cache.get("a", lambda: 5)))
    second.start()
    release.set()
    first.join(300)
    second.join(300)
    assert results == [5]


def test_who_waits_for_a_thing_looks_after_limits_of_their_own():
    cache, begun, release = BoundedCache(2), threading.Event(), threading.Event()

    def make_slowly():
        begun.set()
        release.wait(300)
        return 5

    def stop():
        raise Stopped("ours")

    first = threading.Thread(target=cache.get, args=("a", make_slowly))
    first.start()
    begun.wait(300)
    with pytest.raises(Stopped, match="ours"), checking(stop):
        cache.get("a", make_slowly)
    release.set()
    first.join(300)
    assert cache.peek("a") == 5


# --- results on disk: found by the next process, never stale, never damaged -----------------------


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
    monkeypatch.setattr("wavefold.storage.cache.digest_package", lambda: "of another version")
    assert not is_found(cache, ("a",))


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:-1], lambda data: data[:40] + data])
def test_a_damaged_file_is_written_again(tmp_path, damage):
    cache = DiskCache([tmp_path])
    is_found(cache, ("a",))
    (path,) = tmp_path.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert not is_found(cache, ("a",))
    assert is_found(cache, ("a",))


def test_an_archive_without_arrays_is_damaged(tmp_path):
    data = RESULT.create({}, {"cells": b"text"}).pack()
    assert decode_arrays(data, tmp_path) is None


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
