"""Figures and their goals, contestants that take turns, and probes in fresh processes."""

import json

import pytest
from benchmarks.figures import Figure, FigureSection, format_number, median_ratio, run_probe, take_turns


@pytest.mark.parametrize(
    ("value", "goal", "met"),
    [
        (1.0, "<= 1", True),
        (1.1, "<= 1", False),
        (3, ">= 3", True),
        (0, "= 0", True),
        (4, "< 4", False),
        (1, "", None),
    ],
)
def test_a_goal_is_a_comparison(value, goal, met):
    assert Figure("speed", value, "x", goal, "by hand").met is met


def test_what_never_succeeded_is_missed_and_has_no_number():
    figure = Figure("speed", float("nan"), "ms", "< 5", "by hand")
    assert figure.met is False
    assert figure.to_dict()["value"] is None
    json.dumps(figure.to_dict(), allow_nan=False)


def test_a_table_has_a_row_and_a_column_for_each_name():
    section = FigureSection("a", "A table", "by hand")
    section.add("first", "time", 1, "ms")
    section.add("second", "ratio", 2, "x", "<= 1")
    table = section.table()
    assert [column.header for column in table.columns] == ["", "time", "ratio"]
    assert table.row_count == 2
    assert [figure.name for figure in section.figures] == ["first: time", "second: ratio"]


def test_only_goals_that_hold_at_any_size_survive_in_a_quick_run():
    section = FigureSection("a", "A table", "by hand")
    section.add("map", "time", 9, "ms", "< 5")
    section.add("map", "violations", 0, "", "= 0")
    section.forget_goals()
    assert [figure.met for figure in section.figures] == [None, True]


@pytest.mark.parametrize(
    ("value", "text"), [(0.12345, "0.123"), (4123, "4,123"), (1234.5, "1,234"), (float("nan"), "none")]
)
def test_numbers_are_spelled_with_the_digits_that_matter(value, text):
    assert format_number(value) == text


def test_contestants_take_turns():
    order = []

    def run(name, ms):
        return lambda seed: order.append((name, seed)) or ms * (seed + 1)

    times = take_turns({"slow": run("slow", 4.0), "fast": run("fast", 2.0)}, [0, 1])
    assert order == [("slow", 0), ("fast", 0), ("slow", 1), ("fast", 1)]
    assert times == {"slow": [4.0, 8.0], "fast": [2.0, 4.0]}
    assert median_ratio(times, "slow", "fast") == 2


def count_modules(first, second):
    import sys

    return {"sum": first + second, "wavefold": "wavefold" in sys.modules}


def test_a_probe_runs_in_a_process_that_has_imported_nothing_of_ours():
    assert run_probe(count_modules, 2, 3) == {"sum": 5, "wavefold": False}
