"""What the solver is given: names of tiles and fields resolved, in the place where they were written."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from support import CHESS, HEX_RIVERS, TOWERS, everything_touches

TILES = everything_touches([1.0, 2.0, 4.0], ["sea", "sand", "rock"])
GRID = wf.SquareGrid(4, 3)


def refusal(make):
    with pytest.raises(wf.ConfigError) as caught:
        make()
    return str(caught.value)


def test_by_default_nothing_is_changed(configured):
    parts = configured().parts(TILES, GRID)
    assert parts == {
        "seed": 0,
        "order": "auto",
        "propagation": "auto",
        "search": "auto",
        "undo": "delta",
        "refine": "auto",
    }


def test_a_whole_map_comes_from_one_file(configured):
    effective = configured(
        """
        budget = "20s, 100000"
        [generate]
        tileset = "meadow"
        size = "10x8"
        seed = 7
        [weights]
        house = 0
        [heuristics]
        order = "scanline"
        pick = "weighted"
        """
    )
    tiles = effective.tiles()
    grid = effective.topology(tiles)
    solution = wf.generate(tiles, grid, **effective.parts(tiles, grid))
    assert solution.array.shape == (8, 10)
    assert (solution.seed, solution.stats.order) == (7, "scanline")
    assert effective.budget == wf.Budget(ms=20_000, decisions=100_000)


# --- weights and masks --------------------------------------------------------------------------


def test_weights_multiply_those_of_the_tiles(configured):
    parts = configured("[weights]\nsand = 0.5\nrock = 0\n").problem_parts(TILES, GRID)
    assert parts["weights"].tolist() == [1, 1, 0]
    assert TILES.rules.weights.tolist() == [1, 2, 4]


def test_weights_by_field_differ_from_cell_to_cell(configured):
    text = """
    weights = { rock = 2 }
    [fields]
    hill = { noise = { scale = 0.3 } }
    [terrain.weights]
    rock = "rescaled(hill, 0, 1)"
    sea = 3
    """
    weights = configured(text).problem_parts(TILES, GRID)["weights"]
    hill = wf.Fields(hill=wf.Noise(0.3).rescaled(0, 1)).at(GRID)["hill"]
    np.testing.assert_allclose(weights, np.stack([np.full(12, 3.0), np.full(12, 2.0), 8 * hill], axis=1))


def test_a_world_has_the_weights_and_limits_a_map_has(configured):
    effective = configured(
        """
        weights = { rock = 2, sand = 3 }
        [fields]
        hill = { noise = { scale = 0.3 } }
        [terrain.limits]
        sea = { hill = [-inf, 0] }
        [terrain.weights]
        rock = "rescaled(hill, 0, 1)"
        """
    )
    fields, parts = effective.driving(TILES), effective.problem_parts(TILES, GRID)
    np.testing.assert_allclose(fields.weights(TILES, GRID), parts["weights"])
    assert (fields.masks(TILES, GRID) == parts["masks"]).all()
    assert isinstance(fields.digest, str)  # so it can be kept in a file
    other = effective.driving(TILES, {"hill": wf.Noise(0.3).rescaled(0.5, 1)})
    assert not other.masks(TILES, GRID)[:, 0].any()
    assert configured("").driving(TILES) is None
    assert dict(configured("weights = { rock = 2 }").driving(TILES).factors) == {"rock": 2.0}


def test_what_means_nothing_to_a_world_is_told_where_it_stands(configured):
    effective = configured("[terrain.limits]\nsea = { hill = [0, 1] }\n[fields]\nhill = 1\n")
    assert "unknown field 'hill'" in refusal(lambda: effective.driving(TILES, {"water": 1.0}))
    weights = configured("[weights]\nsee = 2\n")
    assert "did you mean 'sea'" in refusal(lambda: weights.driving(TILES))


def test_limits_become_masks(configured):
    text = "[fields]\nhill = { noise = { scale = 0.3 } }\n[terrain.limits]\nsea = { hill = [-inf, 0] }\n"
    parts = configured(text).problem_parts(TILES, GRID)
    hill = wf.Fields(hill=wf.Noise(0.3)).at(GRID)["hill"]
    assert (parts["masks"][:, 0] == (hill <= 0)).all()
    assert parts["masks"][:, 1:].all()
    assert "fields" not in parts


def test_fields_alone_are_passed_on_for_the_limits_of_the_tiles(configured):
    parts = configured('[fields]\npreset = "terrain"\n').problem_parts(TILES, GRID)
    assert list(parts) == ["fields"]
    assert parts["fields"].names == ("altitude",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[weights]\nsnad = 1", "line 2: there is no tile 'snad'; did you mean 'sand'?"),
        ("[terrain.weights]\n\nsnad = 1", "line 3: there is no tile 'snad'; did you mean 'sand'?"),
        (
            "[fields]\na = 1\n[terrain.limits]\nsnad = { a = [0, 1] }",
            "line 4: there is no tile 'snad'; did you mean 'sand'?",
        ),
        (
            "[heuristics]\ncaps = { snad = 1 }",
            "line 2: caps: unknown tile 'snad'; did you mean 'sand'?",
        ),
        (
            "[fields]\na = -1\n[terrain.weights]\nsand = 'a'",
            "line 4: the factor for 'sand' is -1 at column 0, row 0; it must be at least 0",
        ),
        ("[fields]\na = 1\nb = 'rescaled(a, 0, 1)'", "line 3: rescaled: 1.0 is 1 everywhere"),
        ("[fields]\na = { picture = 'none.png' }", "line 2: field 'a': "),
    ],
)
def test_what_does_not_fit_is_told_with_its_line(configured, text, said):
    effective = configured(f"{text}\n")
    message = refusal(lambda: effective.parts(TILES, GRID))
    assert message.startswith(f"wavefold.toml, {said}")


# --- fields -------------------------------------------------------------------------------------


def test_fields_are_made_of_each_other_in_any_order(configured):
    text = '[fields]\nc = "b * 2"\nb = "a - 1"\na = 3\n'
    values = configured(text).fields.at(GRID)
    assert {name: float(each[0]) for name, each in values.items()} == {"a": 3, "b": 2, "c": 4}


def test_pictures_are_fields_seen_from_the_folder_of_the_file(here, configured, monkeypatch):
    Image.fromarray(np.array([[0, 51], [102, 255]], np.uint8)).save("grey.png")
    Path("deep").mkdir()
    Path("wavefold.toml").write_text('[fields]\nhigh = { picture = "grey.png" }\nlow = "1 - high"\n')
    monkeypatch.chdir("deep")
    effective = configured()
    values = effective.fields.at(wf.SquareGrid(2, 2))
    assert values["high"].tolist() == [0, 0.2, 0.4, 1]
    assert values["low"].tolist() == [1, 0.8, 0.6, 0]
    assert effective.fields.sample("low", 1, 0) == 0.8


def test_pictures_and_noise_mix(here, configured):
    Image.fromarray(np.array([[0, 255]], np.uint8)).save("grey.png")
    text = """
    [fields]
    wave = { noise = { scale = 0.3 } }
    coast = { picture = "grey.png" }
    land = "rescaled(coast - 0.5 * wave, 0, 1)"
    deep = "clamp(land * 2, 0, 1)"
    """
    effective = configured(text)
    grid = wf.SquareGrid(2, 1)
    values = effective.fields.at(grid)
    land = (values["coast"] - 0.5 * values["wave"] + 0.5) / 2
    np.testing.assert_allclose(values["land"], land)
    np.testing.assert_allclose(values["deep"], np.clip(2 * land, 0, 1))
    assert effective.fields.digest == configured(text).fields.digest
    assert effective.fields.digest != configured(text.replace("land * 2", "land * 3")).fields.digest
    assert repr(effective.fields).count("<rescaled(coast - 0.5 * wave, 0, 1)>") == 1


def test_a_field_of_ones_own_replaces_that_of_the_preset(configured):
    effective = configured('[fields]\npreset = { name = "hex", seed = 3 }\nwater = "elevation * 0"\n')
    values = effective.fields.at(GRID)
    assert set(values) == {"water", "elevation"}
    assert not values["water"].any()
    assert values["elevation"].any()


# --- heuristics ---------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["entropy", "both", "score", "scanline:southeast", "spiral"])
def test_an_order_alone_is_passed_by_name(configured, order):
    parts = configured(None, (), **{"heuristics.order": order}).solver_parts(TILES, GRID)
    assert parts["order"] == order


def test_knobs_make_heuristics(configured):
    text = """
    [heuristics]
    order = "scanline:southeast"
    local_share = 0.5
    caps = { sea = 2, rock = 0.25 }
    """
    order = configured(text).solver_parts(TILES, GRID)["order"]
    assert isinstance(order, wf.Heuristics)
    assert (order.order, order.corner) == ("scanline", "southeast")
    assert (order.local_share, order.caps) == (0.5, {"sea": 2, "rock": 0.25})


def test_knobs_without_an_order_go_with_the_one_the_race_finds(configured):
    order = configured("[heuristics]\ncentral = true\n").solver_parts(CHESS, GRID)["order"]
    assert (order.order, order.central) == ("entropy", True)


def test_influence_is_an_expression_of_fields(configured):
    text = "[fields]\na = { noise = { scale = 0.3 } }\n[heuristics]\nbias = 2\ninfluence = 'abs(a)'\n"
    order = configured(text).solver_parts(TILES, GRID)["order"]
    noise = wf.Fields(a=wf.Noise(0.3)).at(GRID)["a"]
    assert order.influence.tolist() == np.abs(noise).tolist()
    assert wf.generate(TILES, GRID, order=order)


# --- tiles and grids ----------------------------------------------------------------------------


def test_no_tile_set_is_an_error(configured):
    assert refusal(configured().tiles) == (
        'no tile set is named: give one, or write tileset = "meadow" in [generate]'
    )


def test_an_unknown_tile_set_is_told_with_its_place(configured):
    message = refusal(configured('[generate]\ntileset = "medow"\n').tiles)
    assert message.startswith("wavefold.toml, line 2: there is no tile set ")
    assert "did you mean 'meadow'?" in message


@pytest.mark.parametrize(
    ("tiles", "text", "grid"),
    [
        (CHESS, "size = '5x4'", wf.SquareGrid(5, 4)),
        (CHESS, "size = [5, 4]\nwrap = true", wf.SquareGrid(5, 4, wraps=True)),
        (HEX_RIVERS, "size = '5x4'", wf.HexGrid.rectangle(5, 4)),
        (HEX_RIVERS, "size = '5x4'\nwrap = true", wf.HexGrid.rhombus(5, 4, wraps=True)),
        (HEX_RIVERS, "radius = 3", wf.HexGrid(3)),
        (TOWERS, "size = '5x4x3'", wf.CubeGrid(5, 4, 3)),
        (TOWERS, "size = '5x4'", wf.CubeGrid(5, 4, 1)),
    ],
)
def test_grids_are_of_the_kind_of_the_tiles(configured, tiles, text, grid):
    assert configured(f"[generate]\n{text}\n").topology(tiles) == grid


@pytest.mark.parametrize(
    ("tiles", "text", "said"),
    [
        (
            CHESS,
            "radius = 3",
            "line 2: square cells have no radius; use size",
        ),
        (CHESS, "size = '5x4x3'", "line 2: square cells have no layers"),
        (HEX_RIVERS, "radius = 3\nwrap = true", "line 2: a hex disk cannot wrap"),
    ],
)
def test_sizes_that_do_not_fit_the_tiles(configured, tiles, text, said):
    effective = configured(f"[generate]\n{text}\n")
    assert refusal(lambda: effective.topology(tiles)).startswith(f"wavefold.toml, {said}")


def test_pictures_are_drawn_as_asked(configured):
    effective = configured("[picture]\ntile_size = 3\nscale = 2\n")
    solution = wf.generate(CHESS, wf.SquareGrid(4, 2))
    assert solution.image(**effective.picture_parts()).size == (24, 12)
