"""A tile set as Python code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from wavefold.tiles import Beside, Tile, TileSet

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
LEFT_OUT = ("picture", "flat_picture", "limits")


def write_python(tiles: TileSet, width: int, height: int, seed: int) -> str:
    """Code that makes these tiles and a map of them; pictures, limits and constraints are in files."""
    rules = "".join(f"\n        {write_call('Beside', each, Beside('', ''))}," for each in tiles.beside)
    return CODE.format(
        tiles="\n".join(f"        {write_call('Tile', tile, Tile(''))}," for tile in tiles.tiles),
        topology=tiles.topology,
        name=tiles.name,
        beside=f"\n    beside=[{rules}\n    ]," if rules else "",
        grid="HexGrid.rectangle" if tiles.topology == "hex" else "SquareGrid",
        width=width,
        height=height,
        seed=seed,
    )


def write_call(kind: str, value: Any, default: Any) -> str:
    """`wf.Tile(name='lawn', weight=3.0)`: a dataclass, without what has its default."""
    return f"wf.{kind}({', '.join(list_arguments(value, default))})"


def list_arguments(value: Any, default: Any) -> Iterator[str]:
    """The arguments of a call that gives this value."""
    for field in fields(value):
        given = getattr(value, field.name)
        if field.name not in LEFT_OUT and given != getattr(default, field.name):
            yield f"{field.name}={given!r}"
