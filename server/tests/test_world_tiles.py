"""Which revisions share a map tile."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavefold_server.problems import Problem
from wavefold_server.worlds.tiles import WorldChanges

rectangles = st.tuples(st.integers(-20, 20), st.integers(-20, 20), st.integers(1, 15), st.integers(1, 15))


@given(boxes=st.lists(rectangles, max_size=8), tile=rectangles, oldest=st.integers(0, 3), data=st.data())
def test_the_last_change_of_a_tile_is_the_last_one_that_touches_it(boxes, tile, oldest, data):
    numbers = np.arange(oldest + 1, oldest + 1 + len(boxes))
    corners = np.array([(x, y, x + width, y + height) for x, y, width, height in boxes]).reshape(-1, 4)
    changes = WorldChanges(False, oldest + len(boxes), oldest, numbers, corners)
    revision = data.draw(st.integers(oldest, oldest + len(boxes)))
    expected = oldest
    for number, (x, y, width, height) in zip(numbers.tolist(), boxes, strict=True):
        cells = {(a, b) for a in range(x, x + width) for b in range(y, y + height)}
        shown = {(a, b) for a in range(tile[0], tile[0] + tile[2]) for b in range(tile[1], tile[1] + tile[3])}
        if number <= revision and cells & shown:
            expected = number
    assert changes.last_change(tile, revision) == expected
    changes.check(revision)
    with pytest.raises(Problem, match="there is no revision"):
        changes.check(oldest + len(boxes) + 1)
    if oldest:
        with pytest.raises(Problem, match="no longer available"):
            changes.check(oldest - 1)
