"""What a field can come from, on every kind of topology."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavefold.errors import ConfigError
from wavefold.fields import Fields, Noise
from wavefold.topology import CubeGrid, Graph, HexGrid, SquareGrid

RING = Graph([("a", "b"), ("b", "c"), ("c", "a")])


# --- noise -------------------------------------------------------------------------------------------


def test_noise_on_squares_is_sampled_at_column_and_row():
    noise = Noise(0.1, seed=1)
    values = Fields(a=noise).at(SquareGrid(5, 4))["a"].reshape(4, 5)
    assert values[2, 3] == noise.sample(3, 2)


def test_noise_on_cubes_is_noise_in_space():
    noise = Noise(0.3, seed=1)
    values = Fields(a=noise).at(CubeGrid(5, 4, 3))["a"].reshape(3, 4, 5)
    assert values[1, 2, 3] == noise.sample(3, 2, 1)


@pytest.mark.parametrize("layout", ["pointy", "flat"])
@pytest.mark.parametrize(
    "grid", [lambda layout: HexGrid(3, layout), lambda layout: HexGrid.rectangle(4, 5, layout)]
)
def test_hexagons_lie_one_step_from_every_neighbour(layout, grid):
    grid = grid(layout)
    fields = Fields(x=lambda x, y: x, y=lambda x, y: y)
    values = fields.at(grid)
    for direction in grid.graph().neighbour.T:
        here = np.flatnonzero(direction >= 0)
        there = direction[here]
        steps = np.hypot(values["x"][there] - values["x"][here], values["y"][there] - values["y"][here])
        assert np.allclose(steps, 1, atol=1e-14)
    middle = np.array([grid.centre(cell) for cell in range(grid.cell_count)]).T
    assert np.allclose([values["x"], values["y"]], middle / np.sqrt(3))  # as drawn, but smaller


@given(st.integers(-(2**39), 2**39), st.integers(-(2**39), 2**39))
def test_a_part_of_a_world_has_the_worlds_values(x, y):
    fields = Fields(a=Noise(0.03, octaves=3, seed=2), b=lambda x, y: x + 2 * y)
    whole = fields.at(SquareGrid(6, 5), origin=(x, y))
    part = fields.at(SquareGrid(2, 3), origin=(x + 4, y + 1))
    for name in fields.names:
        assert (whole[name].reshape(5, 6)[1:4, 4:] == part[name].reshape(3, 2)).all()
    hexes = fields.at(HexGrid(2), origin=(x, y))["a"]
    assert hexes[9] == fields.at(HexGrid(0), origin=(x, y))["a"][0]


def test_noise_needs_places():
    with pytest.raises(ConfigError, match="field 'a' needs to know where cells lie"):
        Fields(a=Noise(0.1)).at(RING)


# --- arrays ------------------------------------------------------------------------------------------


def test_an_array_has_a_value_for_every_cell():
    grid = SquareGrid(3, 2)
    array = np.arange(6).reshape(2, 3)
    assert Fields(a=array).at(grid)["a"].tolist() == [0, 1, 2, 3, 4, 5]
    assert Fields(a=array.ravel()).at(grid)["a"].tolist() == [0, 1, 2, 3, 4, 5]
    assert Fields(a=array.tolist()).at(grid)["a"].tolist() == [0, 1, 2, 3, 4, 5]
    assert Fields(a=array > 2).at(grid)["a"].tolist() == [0, 0, 0, 1, 1, 1]
    assert Fields(a=[5, 6, 7]).at(RING)["a"].tolist() == [5, 6, 7]
    assert Fields(a=np.arange(24).reshape(2, 3, 4)).at(CubeGrid(4, 3, 2))["a"].tolist() == list(range(24))


def test_places_without_a_cell_are_left_out():
    mask = np.array([[True, False, True], [False, True, True]])
    array = np.arange(6).reshape(2, 3)
    assert Fields(a=array).at(SquareGrid(3, 2, mask=mask))["a"].tolist() == [0, 2, 4, 5]
    disk = HexGrid(1)
    assert Fields(a=np.arange(9).reshape(3, 3)).at(disk)["a"].tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_later_changes_to_an_array_change_nothing():
    array = np.zeros((2, 3))
    fields = Fields(a=array)
    array[:] = 1
    assert fields.at(SquareGrid(3, 2))["a"].tolist() == [0] * 6


@pytest.mark.parametrize("shape", [(3, 2), (5,), (7,), (2, 3, 1)])
def test_an_array_of_another_shape_is_refused(shape):
    with pytest.raises(ConfigError, match=r"field 'a' has shape .* needs \(2, 3\) or \(6,\)"):
        Fields(a=np.zeros(shape)).at(SquareGrid(3, 2))
    with pytest.raises(ConfigError, match=r"field 'a' has shape .* needs \(3,\), one number per cell"):
        Fields(a=np.zeros(shape)).at(RING)


def test_in_a_world_an_array_ends():
    fields = Fields(a=np.arange(12).reshape(3, 4))
    assert fields.at(SquareGrid(2, 2), origin=(1, 1))["a"].tolist() == [5, 6, 9, 10]
    with pytest.raises(
        ConfigError, match="field 'a' has no value at x=4, y=0: it has some for x from 0 to 3"
    ):
        fields.at(SquareGrid(2, 2), origin=(3, 0))
    with pytest.raises(ConfigError, match="field 'a' has no value at x=-1"):
        fields.at(SquareGrid(2, 2), origin=(-1, 0))
    with pytest.raises(ConfigError, match="no values at places with 2 coordinates"):
        Fields(a=np.arange(4)).at(SquareGrid(2, 2), origin=(0, 0))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[1, 2], [3]], "all its rows must have the same length"),
        ([[1, np.nan]], r"field 'a' is nan at \[0, 1\]; it must be a finite number"),
        ([["x", "y"]], "field 'a' must be made of numbers"),
        (np.zeros((1, 1, 1, 1)), "field 'a' has shape"),
        (None, "field 'a' must be noise, an array, a function"),
        (True, "field 'a' must be noise"),
    ],
)
def test_values_that_are_not_fields_are_refused(given, message):
    with pytest.raises(ConfigError, match=message):
        Fields(a=given)


def test_a_number_is_the_same_everywhere():
    assert Fields(a=0.25).at(SquareGrid(2, 1))["a"].tolist() == [0.25, 0.25]
    assert Fields(a=np.int8(3)).at(HexGrid(0))["a"].tolist() == [3]


# --- functions ---------------------------------------------------------------------------------------


def test_a_function_is_called_once_if_it_takes_arrays():
    calls = []

    def slope(x, y):
        calls.append(np.shape(x))
        return x + 10 * y

    assert Fields(a=slope).at(SquareGrid(3, 2))["a"].tolist() == [0, 1, 2, 10, 11, 12]
    assert calls == [(6,)]


def test_a_function_that_decides_is_called_for_each_cell():
    calls = []

    def step(x, y):
        calls.append((x, y))
        return 1 if x > 1 else 0.5

    values = Fields(a=step).at(SquareGrid(3, 2))["a"]
    assert values.tolist() == [0.5, 0.5, 1, 0.5, 0.5, 1]
    assert calls[1:] == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
    assert all(type(each) is int for each in calls[1])  # so that it can look things up in lists


def test_functions_of_all_kinds_work_on_a_single_cell():
    for function in (lambda x, y: x + y, lambda x, y: 1 if x else 0, lambda x, y: [0.0, 1.0][x]):
        assert Fields(a=function).at(SquareGrid(1, 1))["a"].tolist() == [0]


def test_a_function_may_answer_with_one_number_for_all():
    assert Fields(a=lambda x, y: 2).at(SquareGrid(2, 2))["a"].tolist() == [2, 2, 2, 2]


def test_a_function_cannot_change_the_values_of_others():
    def greedy(x, y):
        x += 100
        return x

    fields = Fields(a=greedy, b=lambda x, y: x)
    assert fields.at(SquareGrid(2, 1))["b"].tolist() == [0, 1]
    assert fields.at(SquareGrid(2, 1))["a"].tolist() == [100, 101]


def test_a_function_has_three_arguments_on_cubes_and_the_cell_on_graphs():
    values = Fields(a=lambda x, y, z: x + 10 * y + 100 * z).at(CubeGrid(2, 2, 2))["a"]
    assert values.tolist() == [0, 1, 10, 11, 100, 101, 110, 111]
    assert Fields(a=ord).at(RING)["a"].tolist() == [97, 98, 99]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x, y: 1 / (x - 1), "field 'a' is inf at column 1, row 0"),
        (lambda x, y: 1 / (x - 1) if y < 5 else 0, "field 'a' fails at column 1, row 0: ZeroDivisionError"),
        (lambda x: x, "field 'a' fails at column 0, row 0: TypeError"),
        (lambda x, y: None, "field 'a' gives None at column 0, row 0, which is not a number"),
        (lambda x, y: "high" if x else 0, "field 'a' gives 'high' at column 1, row 0"),
        (lambda x, y: [x, y], "field 'a' gives .* at column 0, row 0"),
        (lambda x, y: x + 1j, "field 'a' gives 1j at column 0, row 0"),
    ],
)
def test_an_error_in_a_function_is_reported_with_the_cell(function, message):
    with pytest.raises(ConfigError, match=message):
        Fields(a=function).at(SquareGrid(3, 2))


def test_in_a_world_a_wrong_value_is_reported_with_the_cell_of_the_world():
    with pytest.raises(ConfigError, match=r"field 'a' is inf at \(7, -3\) of the world"):
        Fields(a=lambda x, y: 1 / (x - 7)).at(SquareGrid(3, 2), origin=(5, -3))


# --- any place ---------------------------------------------------------------------------------------


def test_sources_can_be_sampled_at_any_place():
    fields = Fields(
        noise=Noise(0.1), array=np.arange(12).reshape(3, 4), step=lambda x, y: 1 if x > 1 else 0, same=3
    )
    x, y = np.array([[0.0, 1.4], [2.5, 3.49]]), np.array([[0.0, 1.5], [2.0, -0.5]])
    assert (fields.sample("noise", x, y) == Noise(0.1).sample(x, y)).all()
    assert fields.sample("array", x, y).tolist() == [[0, 9], [11, 3]]
    assert fields.sample("step", x, y).tolist() == [[0, 1], [1, 1]]
    assert fields.sample("same", 1, 2) == 3
    assert Fields(a=np.arange(8).reshape(2, 2, 2)).sample("a", 1, 0, 1) == 5
    for place in ((4, 0), (0, float("nan")), (1e30, 0)):
        with pytest.raises(ConfigError, match="field 'array' has no value at"):
            fields.sample("array", *place)
    with pytest.raises(ConfigError, match="field 'step' fails at x=1, y=2: TypeError"):
        Fields(step=lambda x: x).sample("step", 1, 2)
