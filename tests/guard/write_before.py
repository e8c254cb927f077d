"""Write files of every kind into `before/`: `python tests/guard/write_before.py`.

They were written once, by the code as it was, and are kept: later code must read them, and find the same in
them. To write them again is right only when old files need no longer be read.
"""

import shutil
from pathlib import Path

import numpy as np
from cases import OUTLINES, RIVERS, hex_fields, land_fields

import wavefold as wf

FOLDER = Path(__file__).with_name("before")
HEX_KEYS = [(0, 0), (0, -1), (1, -1), (1, 0)]
SQUARE_KEYS = [(0, 0), (0, -1), (1, -1), (1, 0), (1, 1)]

CONFIGURATION = """\
budget = "60s, 100000 decisions"

[generate]
tileset = "lines.toml"
size = "18x14"
wrap = true
seed = 7
count = 2
propagation = "ac4"
undo = "snapshot"

[weights]
cross = 0.5
"line@90" = 2

[heuristics]
order = "both"
corner = "southeast"
ties = "spiral"
most_constraining = true
most_constraining_alone = true
central = true
shortlist = 16
domain_factor = 0.5
entropy_factor = 2.0
degree = 0.25
bias = 0.5
influence = "1 - hill"
perimeter = -0.25
pick = "weighted"
match_neighbours = true
match_base = 0.5
match_boost = 2.0
uniform_pick_fraction = 0.25
local_share = 0.75
caps = { cross = 4, bend = 0.5 }

[search]
ladder = "auto"
patience = 12
jumps = 3
repairs = 32
repairs_per_cell = 0.5
radius = 1
restarts = 4
exact = true

[fields]
preset = { name = "terrain", seed = 3 }
hill = { noise = { scale = 0.08, octaves = 3, seed = 5, lacunarity = 2.5, gain = 0.4, offset = [3.0, -7.0] } }
level = 0.25
rim = { value = 1.5 }
slope = "clamp(rescaled(hill, 0, 1) * rim - level + abs(altitude), 0, 1)"
drawn = { picture = "height.png" }

[terrain.limits]
cross = { slope = [0.1, inf], hill = [-inf, 0.9] }

[terrain.weights]
bend = "0.5 + slope"
empty = "drawn"

[world]
seed = 9
chunk = 32
corner_radius = 8
strip_half_width = 6
window = 12
stride = 6

[picture]
tile_size = 8
scale = 2
layers = true
"""


def draw_lines():
    """Tiles with pictures of their own."""
    ways = {"empty": "----", "line": "o-o-", "bend": "oo--", "cross": "oooo"}
    tiles = []
    for name, sides in ways.items():
        picture = np.full((5, 5, 3), (70, 110, 90), np.uint8)
        for side, (rows, columns) in zip(
            sides, ((slice(3), 2), (2, slice(2, 5)), (slice(2, 5), 2), (2, slice(3))), strict=True
        ):
            if side == "o":
                picture[rows, columns] = (230, 200, 120)
        symmetry = {"line": "I", "bend": "L"}.get(name, "X")
        tiles.append(wf.Tile(name, tuple(sides), 1.5, symmetry=symmetry, picture=picture))
    return wf.TileSet(tiles, name="lines")


def learn_coast():
    """A small set that was learned."""
    drawn = [
        ["sea", "sea", "beach", "land"],
        ["sea", "sea", "beach", "hut"],
        ["beach", "beach", "land", "land"],
    ]
    return wf.learn_adjacency([drawn, [row[::-1] for row in drawn[::-1]]], periodic=True)


def write_tiles(folder):
    """Tile sets as TOML, with their pictures."""
    draw_lines().save(folder / "lines.toml")
    wf.TileSet.load("pipes").save(folder / "pipes.toml")
    wf.TileSet.load("terrain").save(folder / "terrain.toml")
    wf.learn("tartan").save(folder / "tartan.toml")
    learn_coast().save(folder / "coast.toml")


def write_maps(folder):
    """Maps in every format that is read again."""
    grids = {
        "pipes": (wf.TileSet.load("pipes"), wf.SquareGrid(14, 9, wraps=(True, False))),
        "medieval": (wf.TileSet.load("medieval"), wf.HexGrid(3, layout="flat")),
        "blocks": (wf.TileSet.load("blocks"), wf.CubeGrid(4, 3, 3)),
        "tartan": (wf.learn("tartan"), wf.SquareGrid(9, 8)),
    }
    for name, (tiles, grid) in grids.items():
        solution = wf.generate(tiles, grid, 7, order="scanline")
        for ending in ("json", "npz", "csv"):
            solution.save(folder / f"{name}.{ending}")
        for ending in ("tmj", "tmx"):
            solution.save(folder / f"{name}.{ending}", unused=False, tile_size=6)
    part = wf.World(wf.TileSet.load("pipes"), seed=7, chunk=24).solution(-30, 17, 20, 18)
    for ending in ("json", "npz", "csv"):
        part.save(folder / f"part.{ending}")
    for ending in ("tmj", "tmx"):
        part.save(folder / f"part.{ending}", unused=False, tile_size=6)
    try:
        wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(12, 8), budget=9)
    except wf.OutOfBudget as error:
        for ending in ("json", "npz", "csv", "tmj"):
            error.partial.save(folder / f"unfinished.{ending}")


def write_worlds(folder):
    """Saved worlds with pins, fields and edits, and one that is kept in a store."""
    pins = {(0, 0): "cross", (13, 5): "bend@90"}
    pipes = wf.World(wf.TileSet.load("pipes"), seed=7, chunk=24, pins=pins)
    pipes.edit({(5, 5): "valve", (20, 3): "wall"})
    pipes.edit({(30, 30): "lamp"}, reach=8)
    pipes.edit({(-3, 9): ["tee", "vent"]})
    pipes.undo()
    pipes.save(folder / "pipes.world", chunks=[(0, 0)])
    fields = wf.Fields(
        wild=(0.5 + 0.5 * wf.Noise(0.06, octaves=2, seed=2, offset=(4.0, 5.0))).clamp(0, 1),
        map=np.arange(30.0).reshape(5, 6) / 30,
    ).beyond(map="mirror")
    fields = fields.with_limits({"x": {"map": (0.2, 1.0)}}).with_factors({" ": "wild", "h": 2.0})
    lines = wf.World(OUTLINES, seed=-4, chunk=20, fields=fields, pins={(2, 2): "x"}, radius=8, half_width=5)
    lines.edit({(9, 9): "a"})
    lines.save(folder / "lines.world")
    tiles = wf.TileSet.load("terrain")
    land = wf.World(tiles, seed=3, chunk=24, fields=land_fields(3), pins={(5, 5): "beach-oobb"})
    land.save(folder / "terrain.world")
    learned = wf.World(learn_coast(), seed=3, chunk=24)
    learned.edit({(5, 5): "beach"})
    learned.save(folder / "coast.world")
    rivers = wf.World(RIVERS, seed=3, chunk=20, pins={(4, 4): "spring"})
    rivers.edit({(9, 2): "bend", (0, 0): "land"})
    rivers.save(folder / "rivers.world", chunks=[(0, 0)])
    kept = wf.World(
        wf.TileSet.load("pipes"),
        seed=11,
        chunk=16,
        pins={(3, 3): "cross"},
        store=folder / "kept.world",
        keep=9,
    )
    kept.edit({(8, 8): "lamp"})
    for x, y in ((0, 0), (1, 0), (0, -1)):
        kept.chunk(x, y)
    kept.edit({(20, 9): "tee"})
    kept.undo()
    kept.close()


def write_patchworks(folder):
    """Patchworks of every join, some with fields and presets, one rebuilt."""
    for join in ("fixed", "overlap", "editable", "whole", "witness"):
        patchwork = wf.Patchwork(OUTLINES, 3, 7, join, presets={(0, 0): "x"} if join != "witness" else False)
        patchwork.populate_all(SQUARE_KEYS)
        if join == "overlap":
            patchwork.rebuild((3, -2), radius=2)
        patchwork.save(folder / f"lines-{join}.json")
    retries = wf.Retries(attempts=2, replace=1, drop=1)
    fields = hex_fields(7).with_limits({"bend": {"water": (-0.5, 0.3)}})
    fields = fields.with_factors({"land": wf.Noise(0.03, seed=5).rescaled(0, 1)})
    rivers = wf.Patchwork(RIVERS, 3, 7, "fixed", retries, fields, {(0, 0): "spring", (2, -1): "land"})
    rivers.populate_all(HEX_KEYS)
    rivers.save(folder / "rivers.json")


def write_configuration(folder):
    """A configuration with every section, and what it names."""
    from PIL import Image

    Image.fromarray((np.arange(18 * 14).reshape(14, 18) % 251).astype(np.uint8)).save(folder / "height.png")
    draw_lines().save(folder / "lines.toml")
    (folder / "wavefold.toml").write_text(CONFIGURATION, "utf-8")


def write_all(folder):
    """Everything, in folders by kind."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, write in (
        ("tiles", write_tiles),
        ("maps", write_maps),
        ("worlds", write_worlds),
        ("patchworks", write_patchworks),
        ("configuration", write_configuration),
    ):
        (folder / name).mkdir(parents=True)
        write(folder / name)


if __name__ == "__main__":
    write_all(FOLDER)
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    print(f"{len(files)} files, {sum(path.stat().st_size for path in files):,} bytes")
