"""Patchworks: every join, grown, widened, rebuilt and begun anew."""

from cases import OUTLINES, STUBBORN, hex_fields, land_fields, load_tiles, scene
from reading import read_patchwork

import wavefold as wf

HEX_KEYS = [(0, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1)]
SQUARE_KEYS = [(0, 0), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
JOINS = ("fixed", "overlap", "editable", "whole", "witness")


def grow(tiles, radius, keys, more=2, valid=True, **options):
    """A map grown by these keys, then by some more; and once more after it was cleared."""
    patchwork = wf.Patchwork(tiles, radius=radius, refine=False, **options)
    patchwork.populate_all(keys)
    parts = {"grown": read_patchwork(patchwork)}
    for _ in range(more):
        patchwork.populate(patchwork.expandable()[0])
    parts["grown on"] = read_patchwork(patchwork)
    if valid:
        assert wf.check(patchwork) == []
    patchwork.clear()
    patchwork.populate(keys[0])
    parts["cleared and begun"] = read_patchwork(patchwork)
    return parts


for join in JOINS:
    scene(f"patchwork, medieval, {join}")(
        lambda join=join: grow(
            load_tiles("medieval"), 3, HEX_KEYS, join=join, seed=351921, valid=join != "fixed"
        )
    )
    scene(f"patchwork, castle, {join}")(
        lambda join=join: grow(load_tiles("castle"), 5, SQUARE_KEYS, join=join, seed=3, valid=join != "fixed")
    )
    scene(f"patchwork, terrain with fields, {join}")(
        lambda join=join: grow(
            load_tiles("terrain"),
            5,
            SQUARE_KEYS[:5],
            join=join,
            seed=5,
            fields=land_fields(5),
            valid=join != "fixed",
        )
    )
    scene(f"patchwork, stubborn, {join}")(
        lambda join=join: grow(STUBBORN, 3, SQUARE_KEYS, join=join, seed=2, valid=join != "fixed")
    )
    if join != "editable":
        scene(f"patchwork, medieval with fields, {join}")(
            lambda join=join: grow(
                load_tiles("medieval"),
                3,
                HEX_KEYS[:4],
                join=join,
                fields=hex_fields(7),
                valid=join != "fixed",
            )
        )
scene("patchwork, medieval with fields, editable")(
    lambda: grow(load_tiles("medieval"), 2, HEX_KEYS[:4], more=1, join="editable", fields=hex_fields(7))
)
scene("patchwork, own tiles")(lambda: grow(OUTLINES, 1, SQUARE_KEYS[:3], more=1, seed=2))
scene("patchwork, castle, one retry")(
    lambda: grow(load_tiles("castle"), 4, SQUARE_KEYS, 4, join="fixed", seed=3, retries=1, valid=False)
)
scene("patchwork, castle, many retries")(
    lambda: grow(
        load_tiles("castle"),
        4,
        SQUARE_KEYS,
        4,
        join="fixed",
        seed=11,
        retries={"attempts": 5, "replace": 2, "drop": 4},
        valid=False,
    )
)
scene("patchwork, castle, whole and fixed")(
    lambda: grow(load_tiles("castle"), 4, SQUARE_KEYS[:4], 3, join="whole", grow="fixed", seed=1, valid=False)
)
scene("patchwork, medieval, presets")(
    lambda: grow(load_tiles("medieval"), 4, HEX_KEYS[:5], join="overlap", seed=2, presets=True)
)
scene("patchwork, pipes, presets")(
    lambda: grow(
        load_tiles("pipes"),
        6,
        SQUARE_KEYS,
        join="editable",
        seed=2,
        presets={(0, 0): "cross", (7, 1): "bend@90"},
    )
)


@scene("patchwork, fixed on hard ground")
def _():
    parts = {}
    for seed in range(6):
        patchwork = wf.Patchwork(
            load_tiles("medieval"), 3, seed, "fixed", fields=hex_fields(seed), refine=False
        )
        patchwork.populate_all(HEX_KEYS)
        parts[f"seed {seed}"] = read_patchwork(patchwork)
    return parts


def rebuild(tiles, radius, keys, places, join):
    """A map of which small disks are made anew."""
    patchwork = wf.Patchwork(tiles, radius=radius, seed=7, join=join, refine=False)
    patchwork.populate_all(keys)
    different = [[list(cell) for cell in patchwork.rebuild(place, radius=size)] for place, size in places]
    return [different, *read_patchwork(patchwork)]


@scene("patchwork, dropped cells healed")
def _():
    patchwork = wf.Patchwork(STUBBORN, 3, 6, "fixed", refine=False)
    patchwork.populate_all(SQUARE_KEYS)
    parts, healed = {"before": read_patchwork(patchwork)}, []
    for cell in patchwork.dropped:
        try:
            healed.append([list(each) for each in patchwork.rebuild(cell, radius=3)])
        except wf.WavefoldError as error:
            healed.append(type(error).__name__)
    return parts | {"after": [healed, *read_patchwork(patchwork)]}


PLACES = [((0, 0), 2), ((1, -2), 1), ((0, 0), 3)]
for join in ("fixed", "overlap", "editable"):
    scene(f"patchwork, medieval rebuilt, {join}")(
        lambda join=join: rebuild(load_tiles("medieval"), 3, HEX_KEYS[:4], PLACES, join)
    )
    scene(f"patchwork, pipes rebuilt, {join}")(
        lambda join=join: rebuild(load_tiles("pipes"), 4, SQUARE_KEYS[:4], PLACES, join)
    )
