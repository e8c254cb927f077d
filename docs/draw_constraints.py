"""Draws the pictures of docs/guide/constraints.md: the same map without and with each constraint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import wavefold as wf

FOLDER = Path(__file__).parent / "images"
GAP = 12
GRASS, SAND, STONE, WATER = (124, 169, 92), (196, 160, 108), (74, 70, 84), (70, 118, 168)


def plain_tile(name: str, colour: tuple[int, int, int], weight: float = 1.0) -> wf.Tile:
    """A tile of one colour, darker at its edge, that fits beside all others."""
    pixels = np.full((12, 12, 4), (*colour, 255), np.uint8)
    pixels[[0, -1], :, :3] = pixels[:, [0, -1], :3] = [int(each * 0.88) for each in colour]
    return wf.Tile(name, ("",) * 4, weight, picture=pixels)


FLOORS = wf.TileSet([plain_tile("wall", STONE, 1.5), plain_tile("floor", SAND)])
LAKES = wf.TileSet([plain_tile("grass", GRASS, 3), plain_tile("water", WATER)])
PATHS = wf.TileSet([plain_tile("grass", GRASS, 0.6), plain_tile("road", SAND)])
PIPES, KNOTS, CASTLE = (wf.TileSet.load(name) for name in ("pipes", "knots", "castle"))
LAKE = [(1, 8), (7, 2), (16, 1), (21, 7), (14, 12), (5, 12)]


def draw(name: str, tiles: wf.TileSet, constraint: Any, grid: Any = None, **options: Any) -> None:
    """Write one picture: a map without the constraint, and one with it."""
    given = {"seed": 4, "refine": False, "order": "entropy", "own_constraints": False} | options
    grid = grid or wf.SquareGrid(22, 14)
    constraints = constraint if isinstance(constraint, list) else [constraint]
    maps = [wf.generate(tiles, grid, constraints=each, **given) for each in ([], constraints)]
    paste_beside([each.image(tile_size=16, objects=False).convert("RGB") for each in maps], name)


def paste_beside(images: list[Image.Image], name: str) -> None:
    """Write pictures side by side."""
    (left, right) = images
    sheet = Image.new("RGB", (left.width + GAP + right.width, left.height), "white")
    sheet.paste(left, (0, 0))
    sheet.paste(right, (left.width + GAP, 0))
    sheet.quantize(128).save(FOLDER / f"constraints-{name}.png", optimize=True)


def draw_slope() -> None:
    """Roads on hills, which are shaded."""
    grid = wf.SquareGrid(22, 14)
    fields = wf.Fields(height=wf.Noise(0.07, seed=3))
    heights = grid.to_array(fields.at(grid)["height"])
    images = []
    for constraints in ([], [wf.Slope("height", "road", 0.12)]):
        made = wf.generate(
            PATHS, grid, 4, fields=fields, constraints=constraints, order="entropy", refine=False
        )
        pixels = np.asarray(made.image(tile_size=16).convert("RGB"), float)
        shade = np.kron(0.78 + 0.27 * heights, np.ones((16, 16)))[:, :, None]
        images.append(Image.fromarray((pixels * shade).clip(0, 255).astype(np.uint8)))
    paste_beside(images, "slope")


def draw_all() -> None:
    """All pictures of the page."""
    draw("connected", PIPES, wf.Connected(sides="pipe"))
    draw("reach", PIPES, wf.Reach((0, 3), (21, 10), at_most=32, sides="pipe"))
    draw("loop", PIPES, wf.Loop(sides="pipe"))
    draw("acyclic", PIPES, wf.Acyclic(sides="pipe"))
    draw("count", PIPES, wf.Count("lamp", at_least=3, at_most=3))
    draw("border", PIPES, wf.Border("wall"))
    draw("area", LAKES, [wf.Area("water", LAKE), wf.Area("water", (0, 0, 4, 4), ban=True)])
    draw("separation", PIPES, [wf.Separation("lamp", 5), wf.Count("lamp", 5)])
    draw("max-run", PATHS, wf.MaxRun("road", 3))
    draw("parallel", PATHS, wf.Parallel("road", 1))
    draw("room", FLOORS, wf.Room("floor", smallest=8, largest=40))
    draw("mirror", CASTLE, wf.Mirror())
    draw("rotational", KNOTS, wf.Rotational(4), wf.SquareGrid(14, 14))
    draw_slope()


if __name__ == "__main__":
    draw_all()
