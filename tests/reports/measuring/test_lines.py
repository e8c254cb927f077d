"""Lines and areas, against plain loops; and which turns leave a set what it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import wavefold as wf
from wavefold.reports.measuring.dullness import find_largest_square, number_areas
from wavefold.reports.measuring.isotropy import find_symmetries
from wavefold.reports.measuring.lines import PatternLabels, find_runs, shift

DICE = wf.TileSet([wf.Tile(name) for name in "abc"])
MAPS = arrays(np.int64, st.tuples(st.integers(1, 7), st.integers(1, 7)), elements=st.integers(-1, 2))
STEPS = st.sampled_from([(1, 0), (0, 1), (1, 1), (-1, 1), (2, -1)])


def brute_runs(codes, step):
    height, width = codes.shape
    found = []
    for y, x in np.ndindex(height, width):

        def at(times, x=x, y=y):
            there = (x + times * step[0], y + times * step[1])
            return codes[there[1], there[0]] if 0 <= there[0] < width and 0 <= there[1] < height else -1

        if codes[y, x] >= 0 and at(-1) != codes[y, x]:
            length = next(times for times in range(1, 99) if at(times) != codes[y, x])
            found.append((y * width + x, codes[y, x], length))
    return found


@given(MAPS, STEPS, st.integers(1, 3))
def test_runs_are_those_that_a_plain_loop_finds(codes, step, shortest):
    runs = find_runs(codes, step, shortest)
    found = list(zip(*(each.tolist() for each in runs), strict=True))
    assert found == [each for each in brute_runs(codes, step) if each[2] >= shortest]


@given(MAPS)
def test_areas_are_those_that_a_flood_finds(kinds):
    height, width = kinds.shape
    found = number_areas(PatternLabels(DICE), kinds)
    for start in np.ndindex(height, width):
        if kinds[start] < 0:
            continue
        area, todo = {start}, [start]
        while todo:
            y, x = todo.pop()
            for there in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if 0 <= there[0] < height and 0 <= there[1] < width and there not in area:
                    if kinds[there] == kinds[start]:
                        area.add(there)
                        todo.append(there)
        assert {tuple(each) for each in np.argwhere(found == found[start]).tolist()} >= area
        assert found[start] == min(y * width + x for y, x in area)


@given(MAPS)
def test_the_largest_square_is_the_one_a_plain_loop_finds(kinds):
    sizes = [
        side
        for y, x in np.ndindex(kinds.shape)
        for side in range(1, 1 + min(kinds.shape[0] - y, kinds.shape[1] - x))
        if kinds[y, x] >= 0 and (kinds[y : y + side, x : x + side] == kinds[y, x]).all()
    ]
    assert find_largest_square(kinds) == max(sizes, default=0)


def test_a_shift_looks_the_way_of_the_step():
    array = np.arange(6).reshape(2, 3)
    assert shift(array, (1, 0)).tolist() == [[1, 2, -1], [4, 5, -1]]
    assert shift(array, (0, -1)).tolist() == [[-1, -1, -1], [0, 1, 2]]
    assert shift(array, (5, 0)).tolist() == [[-1, -1, -1], [-1, -1, -1]]


@pytest.mark.parametrize(
    ("name", "count"),
    [("castle", 8), ("terrain", 8), ("meadow", 8), ("pipes", 8), ("medieval", 6), ("blocks", 8)],
)
def test_bundled_sets_can_be_turned(name, count):
    assert len(find_symmetries(PatternLabels(wf.TileSet.load(name)))) >= count


@pytest.mark.parametrize(("sample", "count"), [("islands", 8), ("mine", 2), ("towers", 1)])
def test_samples_can_be_turned_as_they_were_learned(sample, count):
    assert len(find_symmetries(PatternLabels(wf.learn(sample)))) == count


def test_variants_of_a_tile_are_one_kind_and_other_tiles_are_not():
    labels = PatternLabels(wf.TileSet.load("terrain"))
    names = dict(zip(labels.rules.names, labels.kind_of.tolist(), strict=True))
    assert names["ocean-5"] == names["ocean-14"] != names["plains-7"]
    castle = PatternLabels(wf.TileSet.load("castle"))
    kinds = dict(zip(castle.rules.names, castle.kind_of.tolist(), strict=True))
    assert kinds["meadow"] != kinds["tree"]


def test_rivers_are_lines_along_themselves_and_meadows_are_none():
    labels = PatternLabels(wf.TileSet.load("castle"))
    codes, names = labels.socket_lines
    number = {name: index for index, name in enumerate(labels.rules.names)}
    along = [names[code] if code >= 0 else None for code in codes[number["river"]]]
    assert along == ["mm~", "mm"]  # north to south; and across, as a bundle of rivers has it
    assert codes[number["meadow"]].tolist() == [-1, -1]
