"""A tile set as Python code."""

from __future__ import annotations

from dataclasses import replace

from wavefold.service.solves.code import write_value
from wavefold.tiles import TileSet

CODE = """import wavefold as wf

# Pictures, limits and constraints are in the files that the studio exports: wf.TileSet.load("tiles.toml").
tiles = wf.TileSet(
    [
{tiles}
    ],
    {topology!r},
    {name!r},{beside}
)
solution = wf.generate(tiles, wf.{grid}({width}, {height}), seed={seed}, refine=False)
solution.image().save("map.png")
"""


def write_tiles(tiles: TileSet, width: int, height: int, seed: int) -> str:
    """Code that makes these tiles and a map of them; pictures, limits and constraints are in files."""
    bare = [replace(tile, picture=None, flat_picture=None, limits={}) for tile in tiles.tiles]
    rules = "".join(f"\n        {write_value(each)}," for each in tiles.beside)
    return CODE.format(
        tiles="\n".join(f"        {write_value(tile)}," for tile in bare),
        topology=tiles.topology,
        name=tiles.name,
        beside=f"\n    beside=[{rules}\n    ]," if rules else "",
        grid="HexGrid.rectangle" if tiles.topology == "hex" else "SquareGrid",
        width=width,
        height=height,
        seed=seed,
    )
