"""The whole numbers behind noise, against the textbook formula in floating point."""

from itertools import product

import numpy as np
import pytest

from wavefold.fields.noise import (
    PART_BITS,
    VALUE_BITS,
    get_simplex_shape,
    hash_address,
    simplex,
    to_fixed_point,
)

STILL = {2: np.zeros((2, 1), np.int64), 3: np.zeros((3, 1), np.int64)}


def noise(places, key=7):
    whole, part = to_fixed_point(places, STILL[len(places)])
    return simplex(whole, part, key) / 2**VALUE_BITS


def textbook(place, key):
    """The sum over every corner nearby, not only those of the simplex: the others must add nothing."""
    dimensions = len(place)
    _, _, loudness, gradients = get_simplex_shape(dimensions)
    skew = get_simplex_shape(dimensions).skew / 2**16
    unskew = skew / (1 + dimensions * skew)
    first = np.floor(place + place.sum() * skew).astype(np.int64)
    total = 0.0
    for step in product((-1, 0, 1, 2), repeat=dimensions):
        corner = first + step
        away = place - (corner - corner.sum() * unskew)
        near = max(0.5 - float((away * away).sum()), 0.0)
        gradient = gradients[:, hash_address(corner[:, None], key, gradients.shape[1])[0]] / 2**14
        total += loudness * near**4 * float((gradient * away).sum())
    return total


@pytest.mark.parametrize("dimensions", [2, 3])
def test_integers_agree_with_the_textbook(dimensions):
    places = np.random.default_rng(1).uniform(-50, 50, (dimensions, 200))
    expected = [textbook(place, 7) for place in places.T]
    assert np.abs(noise(places) - expected).max() < 3e-5


@pytest.mark.parametrize("dimensions", [2, 3])
def test_gradients_are_spread_evenly_and_none_is_longer_than_one(dimensions):
    gradients = get_simplex_shape(dimensions).gradients
    assert (gradients**2).sum(axis=0).max() <= 2**28
    assert (gradients**2).sum(axis=0).min() > 0.999 * 2**28
    assert (gradients.sum(axis=1) == 0).all()
    assert len({tuple(each) for each in gradients.T}) == gradients.shape[1] == {2: 32, 3: 48}[dimensions]


@pytest.mark.parametrize("dimensions", [2, 3])
def test_gradients_that_all_point_the_worst_way_stay_within_one(dimensions):
    """The bound in `get_simplex_shape`: loudness times what the corners of one simplex can add up to at most."""
    _, unskew, loudness, _ = get_simplex_shape(dimensions)
    unskew /= 2**PART_BITS
    side = np.linspace(0, 1, {2: 400, 3: 60}[dimensions])
    rest = np.stack(np.meshgrid(*[side] * dimensions)).reshape(dimensions, -1)
    rest = rest[:, (np.diff(rest, axis=0) <= 0).all(axis=0)]  # one simplex: the others mirror it
    loudest = np.zeros(rest.shape[1])
    for corner in range(dimensions + 1):
        away = rest - (np.arange(dimensions) < corner)[:, None]
        away = away - away.sum(axis=0) * unskew
        square = (away**2).sum(axis=0)
        loudest += np.maximum(0.5 - square, 0) ** 4 * np.sqrt(square)
    assert 0.99 < loudness * loudest.max() < 0.999


def test_neighbouring_addresses_hash_independently():
    address = np.stack(np.meshgrid(np.arange(-200, 200), np.arange(2**40, 2**40 + 400))).reshape(2, -1)
    number = hash_address(address, 3, 32).reshape(400, 400)
    counts = np.bincount(number.ravel(), minlength=32)
    assert np.abs(counts - 5000).max() < 5 * np.sqrt(5000)
    for other in (number[1:, :-1], number[:-1, 1:], number[1:, 1:]):
        pairs = np.bincount((number[:-1, :-1] * 32 + other).ravel(), minlength=1024)
        expected = 399 * 399 / 1024
        assert ((pairs - expected) ** 2 / expected).sum() < 1023 + 5 * np.sqrt(2 * 1023)


def test_a_tiny_negative_number_is_next_to_zero():
    whole, part = to_fixed_point(np.array([[-1e-30], [0.0]]), STILL[2])
    assert (whole[0, 0] << PART_BITS) + part[0, 0] == 0
    assert noise(np.array([[-1e-30], [0.3]])) == noise(np.array([[0.0], [0.3]]))
