"""Endless worlds: chunks near and far, fields, pins, edits, and how their windows were made."""

from functools import partial

import numpy as np
from cases import STUBBORN, hex_fields, land_fields, learn_sample, load_tiles, scene
from reading import read_edit, read_world_report

import wavefold as wf

NEAR = ((0, 0), (1, 0), (-1, -2))
FAR = ((0, 0), (-1, 0), (123_456_789, -987_654_321))


def make_chunks(world, places=NEAR):
    """Chunks by place, and what their windows took; the seams between them are checked."""
    parts = {f"chunk {x} {y}": [np.asarray(world.chunk(x, y))] for x, y in places}
    side = parts["chunk 0 0"][0].shape[0]
    assert wf.check(world, -4, -4, side + 8, side + 8) == []
    parts["report"] = [read_world_report(world.report)]
    world.close()
    return parts


def enter(name, tiles, places=NEAR, **options):
    """Enter the chunks of a world."""
    scene(f"world, {name}")(lambda: make_chunks(wf.World(tiles(), refine=False, **options), places))


PIPES, MEDIEVAL = partial(load_tiles, "pipes"), partial(load_tiles, "medieval")
TERRAIN, MEADOW = partial(load_tiles, "terrain"), partial(load_tiles, "meadow")

enter("pipes", PIPES, seed=7, chunk=32)
enter("pipes, far away", PIPES, FAR, seed=-5, chunk=24)
enter("pipes, small chunks", PIPES, seed=2**70 + 1, chunk=16)
enter("pipes, narrow windows", PIPES, seed=7, chunk=40, radius=6, half_width=3)
enter("castle", partial(load_tiles, "castle"), seed=3, chunk=32)
enter("castle, far away", partial(load_tiles, "castle"), FAR, seed=8, chunk=48)
enter("meadow", MEADOW, seed=7, chunk=48)
enter("dungeon", partial(load_tiles, "dungeon"), FAR, seed=1, chunk=32)
enter("circuit", partial(load_tiles, "circuit"), seed=4, chunk=24)
enter("knots", partial(load_tiles, "knots"), seed=4, chunk=24)
enter("medieval", MEDIEVAL, seed=7, chunk=24)
enter("medieval, far away", MEDIEVAL, FAR, seed=351921, chunk=32)
for side in (48, 64, 96):  # windows that are hard as a whole, and made in pieces
    enter(f"stubborn, chunks of {side}", lambda: STUBBORN, seed=1, chunk=side)
enter("learned towers", partial(learn_sample, "towers"), seed=7, chunk=32)
enter("learned mine", partial(learn_sample, "mine"), FAR, seed=9, chunk=24)
enter("terrain, limits", TERRAIN, seed=7, chunk=32, fields=land_fields(7))
enter("terrain, limits, far away", TERRAIN, FAR, seed=2, chunk=24, fields=land_fields(2))
enter("medieval, limits", MEDIEVAL, seed=7, chunk=24, fields=hex_fields(7))
WILD = wf.Fields(
    wild=wf.Noise(0.05, octaves=2, seed=2).rescaled(0, 2), height=np.arange(64.0).reshape(8, 8) / 64
)
enter(
    "meadow, factors",
    MEADOW,
    seed=1,
    chunk=32,
    fields=WILD.beyond(height="mirror").with_factors({"trees": "wild", "water": "height", "grass": 3.0}),
)
enter(
    "pipes, limits and factors",
    PIPES,
    seed=1,
    chunk=24,
    fields=WILD.beyond(height="repeat")
    .with_limits({"wall": {"wild": (0.0, 1.1)}, "cross": {"height": (0.4, 1.0)}})
    .with_factors({"lamp": "wild"}),
)
enter("pipes, pins", PIPES, seed=7, chunk=24, pins={(0, 0): "cross", (23, 5): "bend@90", (-3, -3): "wall"})
enter("medieval, pins", MEDIEVAL, seed=7, chunk=24, pins={(2, 3): "water", (12, 9): ["road-a", "road-b"]})
enter(
    "terrain, pins and limits",
    TERRAIN,
    seed=3,
    chunk=24,
    fields=land_fields(3),
    pins={(5, 5): "beach-oobb"},
)


def make_edits(world, edits):
    """A world edited, edits taken back and made again, and made again elsewhere."""
    before = world.chunk(0, 0).copy()
    parts = {}
    for number, (wanted, options) in enumerate(edits, start=1):
        parts[f"edit {number}"] = read_edit(world.edit(wanted, **options))
    parts["edited"] = [world.region(-8, -8, 48, 40)]
    world.undo()
    parts["one taken back"] = [world.region(-8, -8, 48, 40)]
    world.redo()
    parts["made again"] = [world.region(-8, -8, 48, 40), world.tile_at(5, 5)]
    twin = wf.World(
        world.tiles, seed=world.seed + 1, chunk=before.shape[0], fields=world.fields, refine=False
    )
    twin.replay(world.edits)
    parts["another seed"] = [np.asarray(twin.chunk(0, 0))]
    assert wf.check(world, -16, -16, 64, 64) == []
    for _ in edits:
        world.undo()
    assert (world.chunk(0, 0) == before).all()
    return parts


EDITED = {
    "pipes": (
        PIPES,
        {"seed": 7, "chunk": 24},
        [({(5, 5): "cross", (20, 3): "wall"}, {}), ({(6, 6): "lamp", (23, 23): "tee@90"}, {"reach": 8})],
    ),
    "castle": (
        partial(load_tiles, "castle"),
        {"seed": 7, "chunk": 32},
        [({(5, 5): "keep"}, {}), ({(16, 8): "river"}, {"reach": 12})],
    ),
    "medieval": (
        MEDIEVAL,
        {"seed": 7, "chunk": 24},
        [({(5, 5): "water"}, {}), ({(12, 12): "road-a", (0, 9): "grass"}, {})],
    ),
    "terrain, limits": (
        TERRAIN,
        {"seed": 7, "chunk": 24, "fields": land_fields(7)},
        [({(5, 5): "beach-oobb"}, {}), ({(9, 9): ["beach-bboo", "beach-booo"]}, {})],
    ),
    "learned mine": (
        partial(learn_sample, "mine"),
        {"seed": 7, "chunk": 24},
        [({(5, 5): "p20"}, {}), ({(14, 9): "p3"}, {})],
    ),
    "pipes, pins": (PIPES, {"seed": 4, "chunk": 24, "pins": {(4, 4): "cross"}}, [({(5, 5): "valve"}, {})]),
}
for what, (tiles, options, edits) in EDITED.items():
    scene(f"edits, {what}")(
        lambda tiles=tiles, options=options, edits=edits: make_edits(
            wf.World(tiles(), refine=False, **options), edits
        )
    )


@scene("region, order does not matter")
def _():
    world = wf.World(load_tiles("pipes"), seed=7, chunk=32, refine=False)
    parts = {"from the middle": [world.region(-20, 10, 70, 30)]}
    other = wf.World(load_tiles("pipes"), seed=7, chunk=32, refine=False)
    for x, y in ((1, 1), (-1, 0), (0, 0)):
        other.chunk(x, y)
    assert (other.region(-20, 10, 70, 30) == parts["from the middle"][0]).all()
    solution = world.solution(-9, 4, 12, 10)
    parts["as a map"] = [solution.patterns, list(solution.origin)]
    parts["drawn"] = [np.asarray(world.image(-2, 3, 12, 8))]
    return parts
