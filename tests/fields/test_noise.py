"""Noise: smooth, within its range, and the same everywhere and in any order."""

import hashlib
import pickle
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavefold.errors import ConfigError
from wavefold.fields import Noise
from wavefold.fields.noise import (
    PART_BITS,
    VALUE_BITS,
    compute_simplex_noise,
    get_simplex_shape,
    hash_address,
    to_fixed_point,
)

FAR = 2**40
cells = st.one_of(st.integers(-1000, 1000), st.integers(-FAR + 100, FAR - 100))
scales = st.floats(1e-6, 1.0)
noises = st.builds(
    Noise,
    scale=st.floats(1e-6, 0.1),
    octaves=st.integers(1, 5),
    seed=st.integers(-(2**70), 2**70),
    lacunarity=st.floats(1.0, 3.0),
    gain=st.floats(0.1, 1.0),
)

# Per corner t**3 * (t + 8 d**2), with t = 1/2 - d**2, is largest at d**2 = 1/14, where it is (3/7)**3.
# A simplex has three corners in the plane and four in space.
STEEPEST = {2: 3 * 99 * (3 / 7) ** 3, 3: 4 * 107 * (3 / 7) ** 3}


def largest_step(noise, dimensions, distance, farthest):
    """By how much noise can change over a distance in cells: its gradient, and roundings of the place."""
    frequencies = noise.scale * noise.lacunarity ** np.arange(noise.octaves)
    share = noise.gain ** np.arange(noise.octaves)
    rounding = 2.0**-19 + 4 * frequencies * farthest * 2.0**-52
    steps = STEEPEST[dimensions] * (frequencies * distance + dimensions * rounding)
    return float((steps * share).sum() / share.sum()) + 1e-6


@given(noises, cells, cells, st.floats(0, 50), st.floats(0, 50))
def test_noise_is_continuous_in_the_plane(noise, x, y, across, down):
    here, there = noise.sample(x, y), noise.sample(x + across, y + down)
    bound = largest_step(noise, 2, np.hypot(across, down), max(abs(x), abs(y)) + 100)
    assert abs(here - there) <= bound


@given(noises, cells, cells, cells, st.integers(0, 2))
def test_noise_is_continuous_in_space(noise, x, y, z, axis):
    there = [x, y, z]
    there[axis] += 1
    bound = largest_step(noise, 3, 1.0, max(map(abs, there)) + 100)
    assert abs(noise.sample(x, y, z) - noise.sample(*there)) <= bound


def test_one_cell_changes_noise_by_at_most_13_times_its_scale():
    y, x = np.mgrid[0:300, 0:300]
    values = Noise(0.05, seed=3).sample(x, y)
    steepest = max(np.abs(np.diff(values, axis=axis)).max() for axis in (0, 1)) / 0.05
    assert 6 < steepest < 13


@given(noises, cells, cells)
def test_values_lie_between_minus_one_and_one(noise, x, y):
    column, row = x + np.arange(12.0) * 7.3, y + np.arange(8.0)[:, None] * 11.1
    for values in (noise.sample(column, row), noise.sample(column, row, column)):
        assert values.dtype == np.float64
        assert values.shape == (8, 12)
        assert np.abs(values).max() <= 1.0


@given(noises, cells, cells, st.integers(1, 30), st.integers(1, 30))
def test_a_region_equals_its_parts_in_any_order(noise, x, y, width, height):
    row, column = np.mgrid[y : y + height, x : x + width]
    whole = noise.sample(column, row)
    turned = noise.sample(column.T[::-1], row.T[::-1])
    assert (whole == turned[::-1].T).all()
    assert noise.sample(int(column[-1, 0]), int(row[-1, 0])) == whole[-1, 0]
    assert (noise.sample(column[0], y) == whole[0]).all()


def test_blocks_do_not_show():
    y, x = np.mgrid[0:150, 0:150]
    noise = Noise(0.03, octaves=2)
    assert (noise.sample(x, y) == [noise.sample(x[0], row) for row in range(150)]).all()


@given(scales, st.integers(), st.integers())
def test_seeds_give_unrelated_noise(scale, one, other):
    y, x = np.mgrid[0:40, 0:40] * 3.0 / scale
    first, second = Noise(scale, seed=one).sample(x, y), Noise(scale, seed=other).sample(x, y)
    if one == other:
        assert (first == second).all()
    else:
        assert abs(np.corrcoef(first.ravel(), second.ravel())[0, 1]) < 0.15


def test_noise_looks_the_same_in_every_direction():
    y, x = np.mgrid[0:400, 0:400]
    for noise in (Noise(0.02, seed=5), Noise(0.02, octaves=5, seed=5)):
        slopes = []
        for angle in np.linspace(0, np.pi, 12, endpoint=False):
            there = noise.sample(x + 5 * np.cos(angle), y + 5 * np.sin(angle))
            slopes.append((there - noise.sample(x, y)).std())
        assert max(slopes) / min(slopes) < 1.15


def test_noise_is_balanced_and_uses_its_range():
    y, x = np.mgrid[0:500, 0:500]
    values = Noise(0.17, seed=1).sample(x, y)
    assert abs(values.mean()) < 0.02
    assert values.max() > 0.95
    assert values.min() < -0.95


def test_the_origin_is_a_place_like_any_other():
    values = [float(Noise(0.1, octaves=3, seed=seed).sample(0, 0)) for seed in range(50)]
    assert np.std(values) > 0.2


GOLDEN = [
    (Noise(0.02), (3, 4), -0.6457277210429311),
    (Noise(0.02, octaves=4, seed=7), (0, 0), 0.3140317706681417),
    (Noise(0.1, octaves=3, seed=-5, lacunarity=2.5, gain=0.7), (-1234.5, 99.25), -0.3063856954211692),
    (Noise(0.0045, octaves=2, seed=2**80), (-FAR, FAR), -0.6123997192538866),
    (Noise(0.3, octaves=2, seed=11), (5, -6, 7), -0.4220746846824053),
    (Noise(0.05, offset=(100.0, 0.5, 3.0)), (1, 2, 3), 0.2220402443781495),
]


@pytest.mark.parametrize(("noise", "place", "expected"), GOLDEN, ids=str)
def test_the_same_noise_on_every_machine(noise, place, expected):
    assert noise.sample(*place) == expected


def test_whole_regions_are_the_same_on_every_machine():
    y, x = np.mgrid[-40:40, -50:50]
    content = hashlib.blake2b(digest_size=8)
    for noise in (Noise(0.02, octaves=4, seed=7), Noise(0.37, octaves=6, seed=8, lacunarity=1.7, gain=0.6)):
        content.update(noise.sample(x, y).astype("<f8").tobytes())
        content.update(noise.sample(x * 2**33, y * 1e9).astype("<f8").tobytes())
        content.update(noise.sample(x, y, x - y).astype("<f8").tobytes())
    assert content.hexdigest() == "7717bdd79d65eb00"


def test_an_offset_moves_noise():
    assert Noise(0.1, offset=(5, -3)).sample(1, 2) == Noise(0.1).sample(6, -1)
    assert Noise(0.1, offset=(5, -3)).sample(1, 2, 4) == Noise(0.1).sample(6, -1, 4)
    assert Noise(0.1, offset=(0, 0, 0)) == Noise(0.1)


def test_octaves_add_fainter_layers():
    y, x = np.mgrid[0:100, 0:100]
    smooth, rough = Noise(0.02, seed=4).sample(x, y), Noise(0.02, octaves=6, seed=4).sample(x, y)
    assert np.abs(np.diff(rough, n=2)).mean() > 5 * np.abs(np.diff(smooth, n=2)).mean()
    assert np.abs(Noise(0.02, octaves=2, seed=4, gain=1e-9).sample(x, y) - smooth).max() < 1e-5
    assert np.corrcoef(smooth.ravel(), rough.ravel())[0, 1] > 0.7


def test_noise_is_a_value():
    noise = Noise(1, octaves=2, seed=3)
    assert noise == Noise(1.0, octaves=np.int64(2), seed=3)
    assert hash(noise) == hash(Noise(1.0, 2, 3))
    assert noise != Noise(1.0, octaves=2, seed=4)
    assert repr(noise) == "Noise(1.0, octaves=2, seed=3)"
    assert repr(Noise(0.5, gain=0.25, offset=(1, 2))) == "Noise(0.5, gain=0.25, offset=(1.0, 2.0))"
    noise.sample(1, 2)
    assert pickle.loads(pickle.dumps(noise)) == noise
    with pytest.raises(AttributeError):
        noise.scale = 2.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scale": 0}, "scale must be above 0"),
        ({"scale": float("nan")}, "scale must be a finite number"),
        ({"scale": "0.1"}, "scale must be a finite number"),
        ({"scale": 65}, "at most 64"),
        ({"scale": 0.1, "octaves": 0}, "octaves must be a whole number from 1 to 24"),
        ({"scale": 0.1, "octaves": 2.0}, "octaves must be a whole number"),
        ({"scale": 0.1, "octaves": 20}, "use fewer octaves"),
        ({"scale": 0.1, "seed": 1.5}, "seed must be a whole number"),
        ({"scale": 0.1, "gain": 0}, "gain must be above 0"),
        ({"scale": 0.1, "lacunarity": -2}, "lacunarity must be above 0"),
        ({"scale": 0.1, "offset": 3}, r"offset must be \(x, y\)"),
        ({"scale": 0.1, "offset": (1, None)}, "offset must be a finite number"),
    ],
)
def test_parameters_out_of_range_are_explained(arguments, message):
    with pytest.raises(ConfigError, match=message):
        Noise(**arguments)


@pytest.mark.parametrize("place", [(FAR + 1, 0), (0, float("nan")), (float("inf"), 0), (0, 0, -FAR - 1)])
def test_there_is_no_noise_too_far_out(place):
    with pytest.raises(ConfigError, match=r"noise has no values beyond 2\*\*40 cells from the origin"):
        Noise(0.1).sample(*place)


def test_places_must_be_numbers_of_one_shape():
    with pytest.raises(ConfigError, match="places must be numbers"):
        Noise(0.1).sample("here", 0)
    with pytest.raises(ConfigError, match="places must be numbers"):
        Noise(0.1).sample([1, 2], [1, 2, 3])


def test_no_positions_give_no_values():
    assert Noise(0.1).sample([], []).shape == (0,)


# --- the whole numbers behind noise, against the textbook formula in floating point ---------------


STILL = {2: np.zeros((2, 1), np.int64), 3: np.zeros((3, 1), np.int64)}


def noise(places, key=7):
    whole, part = to_fixed_point(places, STILL[len(places)])
    return compute_simplex_noise(whole, part, key) / 2**VALUE_BITS


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
    """The bound in `get_simplex_shape`: loudness times the largest sum of the corners of a simplex."""
    _, unskew, loudness, _ = get_simplex_shape(dimensions)
    unskew /= 2**PART_BITS
    side = np.linspace(0, 1, {2: 400, 3: 60}[dimensions])
    rest = np.stack(np.meshgrid(*[side] * dimensions)).reshape(dimensions, -1)
    rest = rest[
        :, (np.diff(rest, axis=0) <= 0).all(axis=0)
    ]  # one compute_simplex_noise: the others mirror it
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
