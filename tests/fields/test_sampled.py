"""Weights and masks for problems."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavefold.errors import ConfigError, TileSetError
from wavefold.fields import Fields, Noise
from wavefold.tiles import Relation, Rules, Tile, TileSet
from wavefold.topology import Graph, SquareGrid

GRID = SquareGrid(4, 1)
TILES = TileSet(
    [
        Tile("sea", ("a",) * 4, 2.0),
        Tile("beach", ("a",) * 4),
        Tile("road", ("a", "b", "a", "b"), symmetry=("0", "90")),
    ]
)
FIELDS = Fields(altitude=[0.0, 0.25, 0.5, 1.0], wet=[1.0, 0.0, 1.0, 0.0])
SEA, BEACH, ROAD, ROAD_90 = range(4)


def test_the_tiles_have_the_patterns_these_tests_rely_on():
    assert TILES.rules.names == ("sea", "beach", "road", "road@90")


# --- weights -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "factor",
    [
        "altitude",
        lambda f: f["altitude"],
        lambda f: f["altitude"] if f["wet"] >= 0 else 0,  # for one cell after the other
        [0.0, 0.25, 0.5, 1.0],
    ],
)
def test_weights_are_multiplied_by_factors_of_fields(factor):
    weights = FIELDS.weights(TILES, GRID, {"sea": factor})
    assert weights.dtype == np.float64
    assert weights.tolist() == [[0, 1, 1, 1], [0.5, 1, 1, 1], [1, 1, 1, 1], [2, 1, 1, 1]]


def test_a_tile_means_all_its_patterns_and_factors_add_up():
    weights = FIELDS.weights(TILES, GRID, {"road": 3, "road@90": "altitude"})
    assert weights[:, ROAD].tolist() == [3, 3, 3, 3]
    assert weights[:, ROAD_90].tolist() == [0, 0.75, 1.5, 3]
    assert weights[:, SEA].tolist() == [2, 2, 2, 2]


def test_noise_can_be_a_factor():
    noise = Noise(0.1).rescaled(0, 1)
    weights = FIELDS.weights(TILES.rules, GRID, {"beach": noise})
    assert (weights[:, BEACH] == noise.sample([0, 1, 2, 3], 0)).all()


@pytest.mark.parametrize(
    ("factors", "error", "message"),
    [
        ({"see": 1}, TileSetError, "there is no tile 'see'; did you mean 'sea'"),
        ({"sea": "altitud"}, ConfigError, "there is no field 'altitud'; did you mean 'altitude'"),
        ({"sea": lambda f: f["dry"]}, ConfigError, "there is no field 'dry'; known: altitude, wet"),
        ({"sea": lambda f: -f["wet"]}, ConfigError, "the factor for 'sea' is -1 at column 0, row 0"),
        ({"sea": lambda f: f["wet"] / 0}, ConfigError, "the factor for 'sea' is inf at column 0, row 0"),
        ({"sea": lambda f: None}, ConfigError, "the factor for 'sea' returned None"),
        ({"sea": [1, 2]}, ConfigError, r"the factor for 'sea' has shape \(2,\)"),
        ({"sea": None}, ConfigError, "the factor for 'sea' must have numbers"),
        ({"sea": Noise(0.01, seed=1) * 0 - 1}, ConfigError, r"use .clamp\(0, 1\) or .rescaled\(0, 1\)"),
        ("sea", ConfigError, "factors must be a dict"),
    ],
)
def test_a_wrong_factor_is_reported(factors, error, message):
    with pytest.raises(error, match=message):
        FIELDS.weights(TILES, GRID, factors)


# --- masks -------------------------------------------------------------------------------------------


def test_limits_include_both_ends():
    masks = FIELDS.masks(TILES, GRID, {"beach": {"altitude": (0.25, 0.5)}})
    assert masks.dtype == np.bool_
    assert masks[:, BEACH].tolist() == [False, True, True, False]
    assert masks[:, [SEA, ROAD, ROAD_90]].all()


def test_of_several_limits_any_will_do():
    masks = FIELDS.masks(
        TILES, GRID, {"beach": [{"altitude": (0, 0.1)}, {"altitude": (0.5, 1), "wet": (0, 0)}]}
    )
    assert masks[:, BEACH].tolist() == [True, False, False, True]


def test_limits_may_name_the_level_a_tile_stands_at():
    limits = ({"level": (0, 1), "altitude": (0, 0.3)}, {"level": (1, 9), "altitude": (0.3, 1)})
    tiles = TileSet([Tile("hill", ("a",) * 4, levels=3, limits=limits), Tile("flat", ("b",) * 4)])
    assert tiles.rules.names == ("hill", "hill@l1", "hill@l2", "flat")
    masks = FIELDS.masks(tiles, GRID)
    low, middle, high, flat = masks.T.tolist()
    assert (low, middle, high) == ([True, True, False, False], [True] * 4, [False, False, True, True])
    assert flat == [True] * 4
    assert (
        FIELDS.masks(tiles, GRID, {"hill": {"level": (2, 2)}}) == masks & [False, False, True, True]
    ).all()
    own = Fields(altitude=FIELDS.sources["altitude"], level=[1.0, 0, 0, 0])  # a field of that name is one
    assert own.masks(tiles, GRID)[:, 2].tolist() == [True, True, False, False]


def test_fields_may_carry_limits_and_factors_of_tiles():
    limits = {"beach": {"altitude": (0.25, 0.5)}}
    fields = FIELDS.with_limits({"beach": {"altitude": (0, 0)}}).with_limits(limits)  # the later one
    assert (fields.masks(TILES, GRID) == FIELDS.masks(TILES, GRID, limits)).all()
    weighed = FIELDS.with_factors({"sea": "altitude"})
    assert (weighed.weights(TILES, GRID) == FIELDS.weights(TILES, GRID, {"sea": "altitude"})).all()
    assert (
        weighed.weights(TILES, GRID, {"sea": 2})
        == FIELDS.weights(TILES, GRID, {"sea": "altitude"}) * [2, 1, 1, 1]
    ).all()
    both = fields.with_factors({"sea": 0.5})
    assert both == FIELDS.with_factors({"sea": 0.5}).with_limits(limits)
    assert (
        len({FIELDS, fields, weighed, both})
        == len({each.digest for each in (FIELDS, fields, weighed, both)})
        == 4
    )
    assert pickle.loads(pickle.dumps(both)) == both
    assert repr(both).endswith(
        ".with_limits({'beach': {'altitude': (0.25, 0.5)}}).with_factors({'sea': 0.5})"
    )
    assert FIELDS.limits == FIELDS.factors == {}


def test_all_limits_must_hold_those_of_the_tile_and_of_the_pattern():
    limits = {"road": {"altitude": (0.25, math.inf), "wet": (0, 1)}, "road@90": {"altitude": (0, 0.5)}}
    masks = FIELDS.masks(TILES, GRID, limits)
    assert masks[:, ROAD].tolist() == [False, True, True, True]
    assert masks[:, ROAD_90].tolist() == [False, True, True, False]


def test_the_limits_of_tiles_always_hold():
    tiles = TileSet(
        [Tile("sea", ("a",) * 4, limits={"altitude": (0, 0.5)}), Tile("beach", ("a",) * 4)],
        allowed_at=lambda pattern, f: pattern.tile.name == "sea" or f["wet"] > 0,
    )
    masks = FIELDS.masks(tiles, GRID)
    assert masks.T.tolist() == [[True, True, True, False], [True, False, True, False]]
    masks = FIELDS.masks(tiles, GRID, allowed_at=lambda pattern, f: f["altitude"] > 0)
    assert masks.T.tolist() == [[False, True, True, False], [False, False, True, False]]


@pytest.mark.parametrize(
    "allowed_at",
    [
        lambda pattern, f: (f["altitude"] > 0.3) & (f["wet"] > 0) if pattern.name == "beach" else True,
        lambda pattern, f: pattern.name != "beach" or (f["altitude"] > 0.3 and f["wet"] > 0),
        lambda pattern, f: pattern.name != "beach" or 0.3 < f["altitude"] < 0.7,
    ],
)
def test_allowed_at_may_take_arrays_or_decide_cell_by_cell(allowed_at):
    masks = FIELDS.masks(TILES, GRID, allowed_at=allowed_at)
    assert masks[:, BEACH].tolist() == [False, False, True, False]
    assert masks[:, [SEA, ROAD, ROAD_90]].all()


def test_with_bare_rules_functions_get_the_names_of_patterns():
    relation = Relation.from_allowed(np.ones((2, 2), bool))
    rules, graph = Rules(["x", "y"], [relation, relation]), Graph([(0, 1), (1, 2)])
    masks = Fields(a=lambda cell: cell).masks(rules, graph, allowed_at=lambda name, f: f["a"] > (name == "y"))
    assert masks.tolist() == [[False, False], [True, False], [True, True]]


@pytest.mark.parametrize(
    ("limits", "error", "message"),
    [
        (
            {"beach": {"altitud": (0, 1)}},
            ConfigError,
            "'beach': limits for unknown field 'altitud'; did you mean 'altitude'",
        ),
        ({"beach": {"wet": (1, 0)}}, ConfigError, "tile 'beach': limits for 'wet' are .1, 0."),
        ({"beach": {"wet": (math.nan, 0)}}, ConfigError, "must be two numbers .lowest, highest."),
        ({"beach": {"wet": 3}}, ConfigError, "must be two numbers .lowest, highest."),
        ({"beach": {"wet": ("a", "b")}}, ConfigError, "must be two numbers .lowest, highest."),
        ({"beach": (0, 1)}, ConfigError, "tile 'beach': limits must be"),
        ({"beach": []}, ConfigError, "tile 'beach': limits must be"),
        ({"beech": {"wet": (0, 1)}}, TileSetError, "there is no tile 'beech'; did you mean 'beach'"),
        (["beach"], ConfigError, "limits must be a dict"),
    ],
)
def test_wrong_limits_are_reported(limits, error, message):
    with pytest.raises(error, match=message):
        FIELDS.masks(TILES, GRID, limits)


@pytest.mark.parametrize(
    ("allowed_at", "message"),
    [
        (lambda pattern, f: 1, "allowed_at for 'sea' must return True or False"),
        (lambda pattern, f: None, "allowed_at for 'sea' returned None at column 0, row 0"),
        (lambda pattern, f: f["dry"] > 0, "there is no field 'dry'"),
        (lambda pattern, f: f["wet"] > 0 and f["dry"] > 0, "there is no field 'dry'"),
        (lambda pattern, f: 1 / 0, "allowed_at for 'sea' failed at column 0, row 0: ZeroDivisionError"),
    ],
)
def test_a_wrong_allowed_at_is_reported(allowed_at, message):
    with pytest.raises(ConfigError, match=message):
        FIELDS.masks(TILES, GRID, allowed_at=allowed_at)


def test_without_fields_everything_is_as_it_was():
    assert Fields().masks(TILES, GRID, allowed_at=lambda pattern, f: not f).all()
    assert Fields().masks(TILES, GRID, allowed_at=lambda pattern, f: [True][len(f)]).all()
    assert (Fields().weights(TILES, GRID, {"sea": lambda f: sum(f.values()) + 1})[:, SEA] == 2).all()


def test_only_tiles_have_masks_and_weights():
    with pytest.raises(TileSetError, match="tiles must be a TileSet"):
        FIELDS.masks("pipes", GRID)
    with pytest.raises(TileSetError, match="tiles must be a TileSet"):
        FIELDS.weights("pipes", GRID, {})


pairs = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted).map(tuple)


@given(st.lists(pairs, min_size=1, max_size=5), st.integers(0, 10**6))
def test_masks_agree_with_the_limits_cell_by_cell(limits, seed):
    values = Noise(0.3, seed=seed).sample(np.arange(30), 0)
    tiles = TileSet([Tile(f"p{number}", limits={"a": pair}) for number, pair in enumerate(limits)])
    masks = Fields(a=values).masks(tiles, SquareGrid(30, 1))
    for cell, value in enumerate(values):
        assert masks[cell].tolist() == [low <= value <= high for low, high in limits]


def test_masks_of_part_of_a_world_are_the_worlds():
    fields = Fields(a=Noise(0.2, seed=4))
    limits = {"sea": {"a": (-1, 0.1)}}
    whole = fields.masks(TILES, SquareGrid(6, 1), limits, origin=(10, 5))
    assert (fields.masks(TILES, SquareGrid(2, 1), limits, origin=(13, 5)) == whole[3:5]).all()
    whole = fields.weights(TILES, SquareGrid(6, 1), {"sea": lambda f: f["a"] + 1}, origin=(10, 5))
    assert (
        fields.weights(TILES, SquareGrid(1, 1), {"sea": lambda f: f["a"] + 1}, (12, 5)) == whole[2:3]
    ).all()
