"""Arithmetic of noise."""

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavefold.errors import ConfigError
from wavefold.fields import Expression, Noise
from wavefold.fields.expression import MOST_NESTED

A, B = Noise(0.02, seed=1), Noise(0.1, octaves=2, seed=2)
Y, X = np.mgrid[0:20, 0:30]
numbers = st.floats(-4, 4)


def grow(children):
    pairs = st.tuples(st.sampled_from([operator.add, operator.sub, operator.mul]), children, children)
    limits = st.tuples(numbers, numbers).map(sorted)
    return st.one_of(
        pairs.map(lambda each: each[0](each[1], each[2])),
        st.tuples(st.sampled_from([operator.add, operator.sub, operator.mul]), numbers, children).map(
            lambda each: each[0](each[1], each[2])
        ),
        st.tuples(children, limits).map(lambda each: each[0].clamp(*each[1])),
        children.map(operator.neg),
        children.map(abs),
    )


expressions = st.recursive(st.sampled_from([A, B]), grow, max_leaves=5)


def test_the_altitude_of_a_terrain_reads_as_it_is_written():
    altitude = (0.75 * Noise(0.0045) + 0.35 * Noise(0.02) + 0.25 * Noise(0.1)).clamp(0, 1)
    assert repr(altitude) == "(0.75 * Noise(0.0045) + 0.35 * Noise(0.02) + 0.25 * Noise(0.1)).clamp(0.0, 1.0)"
    assert altitude == (0.75 * Noise(0.0045) + 0.35 * Noise(0.02) + 0.25 * Noise(0.1)).clamp(0, 1)
    parts = [0.75 * Noise(0.0045).sample(X, Y), 0.35 * Noise(0.02).sample(X, Y)]
    expected = np.clip(parts[0] + parts[1] + 0.25 * Noise(0.1).sample(X, Y), 0, 1)
    assert (altitude.sample(X, Y) == expected).all()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (A + B, lambda a, b: a + b),
        (A - B, lambda a, b: a - b),
        (A * B, lambda a, b: a * b),
        (2 - A, lambda a, b: 2 - a),
        (np.float32(0.5) + A, lambda a, b: 0.5 + a),
        (-A, lambda a, b: -a),
        (1 - abs(A), lambda a, b: 1 - np.abs(a)),
        (A.rescaled(0, 1), lambda a, b: (a + 1) / 2),
        (A.rescaled(3, 3), lambda a, b: a * 0 + 3),
        ((A + B).rescaled(-1, 1), lambda a, b: (a + b) / 2),
    ],
    ids=lambda each: repr(each) if isinstance(each, Expression) else "",
)
def test_arithmetic_is_plain_arithmetic_of_values(expression, expected):
    values = expression.sample(X, Y)
    assert np.allclose(values, expected(A.sample(X, Y), B.sample(X, Y)), rtol=0, atol=1e-12)


@given(expressions)
def test_values_stay_within_bounds(expression):
    low, high = expression.bounds
    values = expression.sample(X * 13.0, Y * 17.0)
    assert values.min() >= low - 1e-12 * max(1, abs(low))
    assert values.max() <= high + 1e-12 * max(1, abs(high))


@given(expressions)
def test_the_printed_form_evaluates_to_an_equal_expression(expression):
    again = eval(repr(expression), {"Noise": Noise})
    assert again == expression
    assert hash(again) == hash(expression)


@given(expressions, numbers, numbers)
def test_rescaled_reaches_exactly_its_limits_at_most(expression, one, other):
    low, high = sorted((one, other))
    if expression.bounds[0] < expression.bounds[1]:
        values = expression.rescaled(low, high).sample(X, Y)
        assert values.min() >= low
        assert values.max() <= high


def test_an_array_and_noise_do_not_mix():
    for operation in (operator.add, operator.sub, operator.mul):
        with pytest.raises(TypeError):
            operation(np.ones(3), A)
        with pytest.raises(TypeError):
            operation(A, np.ones(3))
        with pytest.raises(TypeError):
            operation(A, True)


def test_limits_must_be_numbers_in_order():
    with pytest.raises(ConfigError, match=r"clamp: low must not exceed high, but they are 1 and 0"):
        A.clamp(1, 0)
    with pytest.raises(ConfigError, match="rescaled: high must be a finite number"):
        A.rescaled(0, float("inf"))
    with pytest.raises(ConfigError, match="is 2 everywhere"):
        A.clamp(2, 2).rescaled(0, 1)
    with pytest.raises(ConfigError, match="finite number"):
        _ = A + float("nan")


def test_sums_with_different_brackets_are_different():
    assert A + (B + A) != A + B + A
    assert repr(A + (B + A)) != repr(A + B + A)
    assert repr((A + 1) * A) == "(Noise(0.02, seed=1) + 1.0) * Noise(0.02, seed=1)"
    assert repr(A * (A * 2)) == "Noise(0.02, seed=1) * (Noise(0.02, seed=1) * 2.0)"
    assert repr(A.rescaled(0, 1)) == "Noise(0.02, seed=1).rescaled(0.0, 1.0)"


def test_expressions_nest_to_a_depth_at_which_they_can_still_be_printed_and_sampled():
    expression = Noise(0.1)
    for _ in range(MOST_NESTED):
        expression = abs(expression)
    assert repr(expression).startswith("abs(abs(")
    assert hash(expression) == hash(abs(expression.of))
    assert expression.sample(0, 0) >= 0
    for build in (abs, lambda inner: inner + 1, lambda inner: inner.clamp(0, 1)):
        with pytest.raises(ConfigError, match="nested more than 200 levels deep"):
            build(expression)
