"""The bounded cache: what it keeps, and how much of it."""

import threading

import numpy as np
import pytest

from wavefold.kernels.host.checkpoint import Stopped, checking
from wavefold.storage.cache import BoundedCache, array_bytes


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
