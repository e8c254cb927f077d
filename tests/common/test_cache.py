"""The bounded cache: what it keeps, and how much of it."""

import numpy as np
import pytest

from wavefold.common.cache import BoundedCache, array_bytes


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
