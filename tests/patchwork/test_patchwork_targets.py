"""Maps driven by fields: soft masks are met as far as the rules allow, over borders too."""

import pytest
from small_maps import AROUND, JOINS, RADIUS

import wavefold as wf
from support import compiled_only
from wavefold.patchwork import build_order
from wavefold.patchwork.arguments import build_fields
from wavefold.patchwork.join import JoinResult

HILLS = wf.TileSet(
    [
        wf.Tile("sea", ("s", "s", "s", "s"), limits={"altitude": (-1.0, 0.1)}),
        wf.Tile("land", ("l", "l", "l", "l"), limits={"altitude": (-0.1, 1.0)}),
        wf.Tile("coast", ("s", "c", "l", "c"), 0.2, "turned"),
        wf.Tile("bend", ("c", "c", "l", "l"), 0.2, "turned"),
        wf.Tile("bay", ("c", "c", "s", "s"), 0.2, "turned"),
    ]
)
LAKES = wf.TileSet(
    [
        wf.Tile("water", ("w",) * 6, limits={"depth": (0.0, 2.0)}),
        wf.Tile("grass", ("g",) * 6, limits={"depth": (-2.0, 0.1)}),
        *(
            wf.Tile(f"shore{wet}", ("w",) * wet + ("c",) + ("g",) * (4 - wet) + ("c",), 0.2, "turned")
            for wet in range(5)
        ),
    ],
    "hex",
)
SETS = {
    "hills": (HILLS, wf.Fields(altitude=wf.Noise(0.08, seed=1))),
    "lakes": (LAKES, wf.Fields(depth=wf.Noise(0.08, seed=2))),
}


def driven(name, join, **more):
    tiles, fields = SETS[name]
    made = wf.Patchwork(tiles, RADIUS, 3, JOINS[join], fields=fields, **more)
    made.populate_all(AROUND["pipes" if tiles.topology == "square" else "rivers"])
    return made


@pytest.mark.parametrize("join", JOINS)
@pytest.mark.parametrize("name", SETS)
def test_soft_masks_are_met_as_far_as_the_rules_allow(name, join):
    made = driven(name, join)
    report = made.report
    assert len(wf.check(made)) == report.mismatches_from_dropped
    assert report.soft_masks_asked > 0
    assert report.soft_masks_asked == sum(grid.soft_masks_asked for grid in report.grids)
    assert 0.8 * report.soft_masks_asked <= report.soft_masks_met <= report.soft_masks_asked


def test_soft_masks_are_counted_on_the_finished_map():
    made = driven("hills", "overlap")
    tiles, fields = SETS["hills"]
    asked = met = 0
    for cell, pattern in made.patterns.items():
        altitude = fields.at(wf.SquareGrid(1, 1), origin=cell)["altitude"][0]
        allowed = {
            number
            for number, each in enumerate(tiles.patterns)
            if all(low <= altitude <= high for low, high in each.tile.limits.values())
        }
        asked += len(allowed) < len(tiles.patterns)
        met += len(allowed) < len(tiles.patterns) and pattern in allowed
    assert (made.report.soft_masks_asked, made.report.soft_masks_met) == (asked, met)


def test_soft_masks_are_not_tried_where_nothing_fits():
    tiles, fields = SETS["hills"]
    made = wf.Patchwork(tiles, 1, fields=fields)
    context, result = made.parts.context, JoinResult()
    around = {(0, 1): "land", (1, 0): "sea", (1, 2): "sea"}
    context.patterns |= {cell: int(tiles.rules.patterns(tile)[0]) for cell, tile in around.items()}
    tried = context.solve(context.region([(1, 1)], around), result, 3, 0)
    assert tried.at_root
    assert tried.is_proof
    assert result.attempts == 1


def test_a_map_without_fields_asks_nothing():
    made = wf.Patchwork(HILLS, 2)
    made.populate((0, 0))
    assert made.report.soft_masks_asked == made.report.soft_masks_met == 0


@pytest.mark.parametrize("join", ["fixed", "overlap", "editable", "whole"])
def test_factors_count_cell_by_cell(join):
    tiles = wf.TileSet([wf.Tile("a", ("x",) * 4), wf.Tile("b", ("x",) * 4), wf.Tile("c", ("x",) * 4)])
    fields = wf.Fields(east=lambda x, y: x > 0, west=lambda x, y: x <= 0)
    made = wf.Patchwork(
        tiles, 2, 1, JOINS[join], fields=fields.with_factors({"a": "east", "b": "west", "c": 0})
    )
    made.populate_all([(0, 0), (1, 0), (-1, 0)])
    assert all(made.tile(cell) == ("a" if cell[0] > 0 else "b") for cell in made.patterns)
    assert made.report.soft_masks_asked == 0


def test_fields_matter():
    tiles, fields = SETS["lakes"]
    blind = wf.Patchwork(tiles, RADIUS, 3)
    blind.populate_all(AROUND["rivers"])
    blind.parts.context.targets = driven("lakes", "overlap").parts.context.targets
    assert blind.report.soft_masks_met < driven("lakes", "overlap").report.soft_masks_met
    again = wf.Patchwork(tiles, RADIUS, 3, fields=wf.Fields(depth=wf.Noise(0.08, seed=2)))
    again.populate_all(AROUND["rivers"])
    assert again.patterns == driven("lakes", "overlap").patterns
    assert again.fields == fields


@compiled_only
def test_fields_drive_tiles_with_limits_and_others_say_what_is_missing():
    terrain = wf.TileSet.load("terrain")
    fields = build_fields(terrain, "terrain", 3)
    assert fields.names == ("altitude",)
    made = wf.Patchwork(terrain, 3, 3, fields=fields)
    made.populate_all(build_order("square", 3))
    assert 0 < made.report.soft_masks_met <= made.report.soft_masks_asked
    assert build_fields(terrain, None, 3) is None
    with pytest.raises(wf.ConfigError, match="no tile has limits"):
        build_fields(wf.TileSet.load("pipes"), "terrain", 3)
    with pytest.raises(wf.ConfigError, match="unknown preset"):
        build_fields(terrain, "moon", 3)
