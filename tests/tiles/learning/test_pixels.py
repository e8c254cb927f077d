"""Pixels and windows of pictures that are read slice by slice."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from wavefold.kernels.host.checkpoint import checking
from wavefold.tiles.learning import learn, pixels, windows
from wavefold.tiles.learning.overlapping import learn_patterns
from wavefold.tiles.learning.pixels import ColourTable, number_colours, number_values


@pytest.fixture
def small_slices(monkeypatch):
    for module in (pixels, windows):
        monkeypatch.setattr(module, "SLICE_CELLS", 40)


def draw(seed, height, width, channels=3, shades=3):
    return np.random.default_rng(seed).integers(0, shades, (height, width, channels)).astype(np.uint8)


@given(st.integers(0, 1000), st.integers(1, 30), st.integers(1, 30), st.sampled_from([3, 4]), st.booleans())
def test_colours_are_numbered_alike_in_one_piece_and_in_slices(seed, height, width, channels, in_slices):
    picture = draw(seed, height, width, channels) * np.uint8(85)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pixels, "SLICE_CELLS", 40 if in_slices else 10_000)
        numbers, found = number_colours(picture)
    assert np.array_equal(np.asarray(found)[numbers], picture)
    every = [colour[::-1] for colour in found]  # sorted, the last channel first
    assert every == sorted(set(every))


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64, float])
def test_numbers_are_those_of_a_sorted_list(small_slices, dtype):
    array = draw(1, 20, 30, 3, 9)[..., 0].astype(dtype)
    for each in (array, array - dtype(4) if dtype != np.uint8 else array):
        values, numbers = number_values(each)
        assert values.tolist() == sorted(set(each.ravel().tolist()))
        assert values.dtype == dtype
        assert np.array_equal(values[numbers], each)


def test_a_colour_table_is_a_sequence_of_tuples():
    table = ColourTable(np.array([[1, 2, 3], [4, 5, 6]], np.uint8))
    assert list(table) == table[:] == [(1, 2, 3), (4, 5, 6)]
    assert (4, 5, 6) in table
    assert np.array(table, np.int64).sum() == 21


@pytest.mark.parametrize("periodic", [True, False])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_windows_are_found_alike_in_one_piece_and_in_slices(monkeypatch, n, periodic):
    picture = draw(n, 23, 17)
    whole = learn(picture, n, symmetry=2, periodic=periodic)
    monkeypatch.setattr(windows, "SLICE_CELLS", 40)
    sliced = learn(picture, n, symmetry=2, periodic=periodic)
    assert sliced.values == whole.values
    assert sliced.rules.digest == whole.rules.digest
    for pattern in range(0, len(whole), 7):
        assert sliced.sources(pattern) == whole.sources(pattern)


def test_counting_ends_with_the_first_slice_that_has_too_many_patterns(small_slices, monkeypatch):
    looked_at = []
    find = windows.find_slice_windows
    monkeypatch.setattr(windows, "find_slice_windows", lambda *given: looked_at.append(1) or find(*given))
    with pytest.raises(wf.TileSetError, match="more than 60 patterns of 3 x 3 cells"):
        learn_patterns(np.arange(400).reshape(20, 20), symmetry=1, most_patterns=60)
    assert len(looked_at) == 2


def test_reading_and_counting_can_be_stopped_at_every_slice(small_slices):
    checks = []
    with checking(lambda: checks.append(1)):
        learn(draw(1, 40, 40), n=2, symmetry=1)
    assert len(checks) > 4 * 40 * 40 / 40  # packing, two passes of numbering, windows
