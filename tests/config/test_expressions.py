"""Expressions in a configuration: what they mean is what Python says, and nothing else can be said."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from wavefold.config.build import KnownValues
from wavefold.config.expressions import MOST_NESTED, MOST_OPERATIONS, is_field_name, parse_expression

PLACES = 5
BOUNDS = (-4.0, 4.0)
VALUES = {
    "land": np.array([-4.0, -1.0, 0.0, 2.5, 4.0]),
    "wet": np.array([0.25, 4.0, -2.0, -0.0, 1e-3]),
    "höhe_2": np.array([1.0, 2.0, 3.0, -3.0, 0.125]),
}

numbers = st.floats(0, 100).map(repr) | st.integers(0, 10**6).map(str) | st.sampled_from(["1e3", ".5", "2."])
limits = st.sampled_from(["-1, 1", "0, 0.5", "-3.5, 2", "1, 1", "-(2), 1 + 1"])
expressions = st.recursive(
    numbers | st.sampled_from(list(VALUES)),
    lambda parts: st.one_of(
        st.tuples(parts, st.sampled_from(["+", " - ", "*"]), parts).map("".join),
        parts.map("-{}".format),
        parts.map("({})".format),
        parts.map("abs({})".format),
        st.tuples(parts, limits).map(lambda pair: "clamp({}, {})".format(*pair)),
    ),
    max_leaves=10,
)


def fields(values):
    return {name: KnownValues(each, BOUNDS) for name, each in values.items()}


def ours(text, values=VALUES):
    return parse_expression(text).expression(fields(values)).values([np.empty(PLACES)])


def python(text, place):
    names = {name: float(each[place]) for name, each in VALUES.items()}

    def clamp(x, low, high):
        return min(max(x, low), high)

    return eval(text, {"__builtins__": {}}, names | {"abs": abs, "clamp": clamp})


@given(expressions)
def test_an_expression_means_what_python_says(text):
    values = np.broadcast_to(ours(text), PLACES)
    assert values.tolist() == [python(text, place) for place in range(PLACES)]


@given(expressions)
def test_it_stays_within_its_bounds(text):
    expression = parse_expression(text).expression(fields(VALUES))
    low, high = expression.bounds
    values = expression.values([np.empty(PLACES)])
    slack = 1e-12 * max(abs(low), abs(high))
    assert low - slack <= values.min()
    assert values.max() <= high + slack


def test_rescaling_stretches_from_the_bounds():
    assert ours("rescaled(land, 0, 1)").tolist() == [0, 0.375, 0.5, 0.8125, 1]
    assert ours("rescaled(2 * land - 1, -1, 1)").tolist() == [-1, -0.25, 0, 0.625, 1]


def test_noise_stays_noise():
    noise = {"a": wf.Noise(0.02), "b": wf.Noise(0.1, seed=3)}
    text = "clamp(0.75 * a + 0.35 * b - 1, 0, 1)"
    assert parse_expression(text).expression(noise) == (0.75 * noise["a"] + 0.35 * noise["b"] - 1).clamp(0, 1)
    assert parse_expression("1 - abs(a)").expression(noise) == 1 - abs(noise["a"])
    assert parse_expression("-rescaled(a, 0, 1)").expression(noise) == -noise["a"].rescaled(0, 1)


def test_the_names_are_told_once_and_in_order():
    assert parse_expression("b + a * (b - clamp(c, 0, 1))").names == ("b", "a", "c")


def test_lines_may_be_broken():
    assert parse_expression("  a\n  + b\n").text == "a + b"


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "__import__",
        "().__class__",
        "a.__class__.__mro__",
        "a.real",
        "a[0]",
        "[a]",
        "{a}",
        "'a'",
        '"a" * 9',
        "f'{a}'",
        "b'a'",
        "lambda: a",
        "(lambda x: x)(a)",
        "[x for x in a]",
        "(x for x in a)",
        "a if a else a",
        "a and a",
        "not a",
        "~a",
        "+a",
        "a < a",
        "a == a",
        "a ** a",
        "9**9**9**9",
        "a // a",
        "a % a",
        "a @ a",
        "a << a",
        "a | a",
        "a / 2",
        "(a, a)",
        "a,",
        "a := 1",
        "(a := 1)",
        "a = 1",
        "await a",
        "yield a",
        "*a",
        "...",
        "None",
        "True",
        "1j",
        "1e999",
        "1" * 400,
        "print(a)",
        "eval(a)",
        "exec(a)",
        "open(a)",
        "abs",
        "abs()",
        "abs(a, a)",
        "abs(x=a)",
        "abs(*a)",
        "abs(**a)",
        "abs(a)(a)",
        "abs.a",
        "clamp(a)",
        "clamp(a, 0)",
        "clamp(a, 0, a)",
        "clamp(a, 1, 0)",
        "clamp(a, 0, 1e999)",
        "rescaled(1, 0, 1)",
        "min(a, a)",
        "",
        " ",
        "()",
        "a b",
        "a +",
        "1if 1else 1",
        "0x",
        "a; a",
        "a # b",
        "a\\\nb",
        "\0",
        "import os",
        "(" * 300 + "a" + ")" * 300,
        "-" * 900 + "a",
        "a+" * 490 + "a",
        "a" * 1001,
    ],
)
def test_everything_else_is_refused_in_one_sentence(text):
    with pytest.raises(wf.ConfigError) as caught:
        parse_expression(text).expression({"a": wf.Noise(0.1)})
    assert "\n" not in str(caught.value)


def test_a_wrong_function_has_a_nearest_one():
    with pytest.raises(
        wf.ConfigError, match=r"in 'clmap\(a, 0, 1\)': there is no function 'clmap'; did you mean 'clamp'"
    ):
        parse_expression("clmap(a, 0, 1)")


def test_long_chains_are_fine_and_deep_nesting_has_an_end():
    chain = " + ".join(["a"] * (MOST_OPERATIONS + 1))
    assert len(parse_expression(chain).names) == 1
    with pytest.raises(wf.ConfigError, match="at most 100 operations"):
        parse_expression(f"{chain} + a")
    nested = "a"
    for _ in range(MOST_NESTED - 1):
        nested = f"a - ({nested})"
    noise = {"a": wf.Noise(0.1)}
    assert parse_expression(f"rescaled({nested}, 0, 1)").expression(noise).bounds == (0, 1)
    with pytest.raises(wf.ConfigError, match="at most 12 nested brackets"):
        parse_expression(f"rescaled(a - ({nested}), 0, 1)")


@pytest.mark.parametrize(
    ("name", "usable"),
    [
        ("a", True),
        ("höhe_2", True),
        ("a-b", False),
        ("2", False),
        ("", False),
        ("if", False),
        ("True", False),
        ("a b", False),
        ("a.b", False),
        (" a", False),
    ],
)
def test_which_names_a_field_may_have(name, usable):
    assert is_field_name(name) is usable
