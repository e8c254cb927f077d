"""However many values are wrong, validation gives few errors, and gives them at their places."""

from typing import Annotated

import pytest
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from wavefold.config.sections import MOST_ERRORS, PIECE, BoundedModel


class Inner(BoundedModel):
    model_config = ConfigDict(extra="forbid")
    rows: list[list[int]] = Field(default=[])


class Outer(BoundedModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    numbers: Annotated[list[int], Field(max_length=100_000)] = Field(default=[])
    pairs: list[Annotated[tuple[int, int], Field(strict=False)]] = Field(default=[])
    named: dict[str, float] = Field(default={})
    nested: dict[str, dict[str, int]] = Field(default={})
    either: int | list[int] = 0
    inner: Inner = Inner()
    several: list[Inner] | None = None


def errors_of(**values):
    with pytest.raises(ValidationError) as caught:
        Outer.model_validate(values)
    return caught.value.errors()


@pytest.mark.parametrize(
    ("values", "first"),
    [
        ({"numbers": [0] * 1_234 + ["x"] * 50_000}, ("numbers", 1_234)),
        ({"pairs": [[0, 1]] * 777 + [[]] * 50_000}, ("pairs", 777, 0)),
        (
            {"named": {f"{n}": 0.5 for n in range(500)} | {f"x{n}": "" for n in range(50_000)}},
            ("named", "x0"),
        ),
        ({"nested": {"a": {f"{n}": "" for n in range(50_000)}}}, ("nested", "a", "0")),
        ({"either": [""] * 50_000}, ("either", "int")),
        ({"inner": {"rows": [[1]] * 300 + [[""] * 1_000] * 1_000}}, ("inner", "rows", 300, 0)),
        ({"several": [{"rows": [[""] * 1_000] * 3}] * 1_000}, ("several", 0, "rows", 0, 0)),
        ({f"key{n}": 1 for n in range(50_000)}, ("key0",)),
        ({"inner": {f"key{n}": 1 for n in range(50_000)}}, ("inner", "key0")),
    ],
)
def test_errors_are_few_and_name_their_places(values, first):
    found = errors_of(**values)
    assert found[0]["loc"] == first
    assert len(found) <= 2 * MOST_ERRORS


def test_long_values_are_what_they_were():
    given = {
        "numbers": list(range(3 * PIECE + 1)),
        "pairs": [[n, -n] for n in range(PIECE + 1)],
        "named": {f"{n}": n / 2 for n in range(2 * PIECE)},
        "either": [5] * (PIECE + 1),
        "several": [{"rows": [[n]]} for n in range(PIECE + 1)],
    }
    found = Outer.model_validate(given)
    assert found.numbers == given["numbers"]
    assert found.pairs == [tuple(each) for each in given["pairs"]]
    assert list(found.named.items()) == list(given["named"].items())
    assert found.either == given["either"]
    assert [each.rows for each in found.several] == [each["rows"] for each in given["several"]]


def test_a_list_that_is_too_long_says_how_long_it_is():
    (error,) = errors_of(numbers=[0] * 100_001)
    assert (error["type"], error["loc"]) == ("too_long", ("numbers",))
    assert "100001" in error["msg"]


def test_messages_of_own_checks_are_kept():
    class Checked(BoundedModel):
        values: list[Annotated[int, Field(ge=0)]]

    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        Checked(values=[1] * PIECE + [-1])


def test_the_json_schema_is_that_of_plain_lists():
    schema = Outer.model_json_schema()["properties"]["numbers"]
    assert (schema["type"], schema["items"], schema["maxItems"]) == ("array", {"type": "integer"}, 100_000)


def test_a_model_inside_of_other_types_is_bounded_too():
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(Outer | None).validate_python({"numbers": [""] * 50_000})
    assert caught.value.error_count() <= MOST_ERRORS
