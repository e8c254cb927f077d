"""Declared options: read from dataclasses, checked, and with types for files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Annotated, Literal

import numpy as np
import pytest

from wavefold.errors import ConfigError
from wavefold.options.option import Option, check_options, find_option, list_options, option_group, plain_type


@option_group("kettle")
@dataclass(frozen=True)
class Kettle:
    litres: Annotated[float, Option("how much fits", low=0, high=1_000)] = 1.5
    cups: Annotated[int | None, Option("how many", low=1)] = None
    lid: Annotated[bool, Option("whether it is closed")] = True
    mode: Annotated[Literal["boil", "warm"], Option("what to do", key="heat.mode")] = "boil"
    tea: Annotated[Literal["green"] | str | Callable[..., int], Option("which", plugins="tea")] = "green"
    stock: Annotated[Mapping[str, int], Option("what is left", low=0)] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_options(self)


def test_a_declaration_has_the_place_the_type_and_the_default():
    mode = find_option(Kettle, "mode")
    assert (mode.section, mode.key, mode.default, mode.names) == ("heat", "mode", "boil", ("boil", "warm"))
    assert [(each.section, each.key) for each in list_options(Kettle)][:2] == [
        ("kettle", "litres"),
        ("kettle", "cups"),
    ]
    assert find_option(Kettle, "stock").default == {}


def test_signatures_show_types_only():
    assert str(signature(Kettle)).startswith("(litres: 'float' = 1.5, cups: 'int | None' = None, lid")


def test_types_in_files_leave_out_what_only_python_has():
    kinds = {each.name: plain_type(each) for each in list_options(Kettle)}
    assert kinds == {
        "litres": float,
        "cups": int | None,
        "lid": bool,
        "mode": Literal["boil", "warm"],
        "tea": str,
        "stock": dict[str, int],
    }


@pytest.mark.parametrize(
    "values",
    [
        {"litres": 0},
        {"litres": 1_000},
        {"litres": np.float32(0.5)},
        {"litres": np.int64(3)},
        {"cups": np.int64(3)},
        {"cups": 10**400},
        {"lid": np.bool_(False)},
        {"tea": "oolong"},
        {"tea": len},
        {"stock": {"green": 3}},
    ],
)
def test_allowed_values_pass(values):
    assert Kettle(**values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"litres": -1}, "litres must be a number from 0 to 1,000, not -1"),
        ({"litres": 1_001}, "litres must be a number from 0 to 1,000, not 1001"),
        ({"litres": float("nan")}, "litres must be a number from 0 to 1,000, not nan"),
        ({"litres": True}, "litres must be a number from 0 to 1,000, not True"),
        ({"litres": None}, "litres must be a number from 0 to 1,000, not None"),
        ({"litres": 10**400}, f"litres must be a number from 0 to 1,000, not {'1' + '0' * 56}…"),
        ({"cups": 0}, "cups must be a whole number from 1, not 0"),
        ({"cups": 1.0}, "cups must be a whole number from 1, not 1.0"),
        ({"lid": 1}, "lid must be True or False, not 1"),
        ({"mode": "boill"}, "unknown mode 'boill'; did you mean 'boil'?"),
        ({"mode": 1}, "mode must be 'boil' or 'warm', not 1"),
        ({"tea": 3}, "tea must be text or a function or 'green', not 3"),
        ({"tea": str}, "tea must be text or a function or 'green', not <class 'str'>"),
        ({"stock": []}, "stock must be a dict, not []"),
    ],
)
def test_other_values_are_refused(values, message):
    with pytest.raises(ConfigError) as caught:
        Kettle(**values)
    assert str(caught.value) == message
