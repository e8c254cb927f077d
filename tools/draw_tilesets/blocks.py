"""The tile set "blocks": a town of cubes, where everything stands on something.

Ground fits on nothing, so it is found in the lowest layer only, where it weighs so much more than all else
that the layer is ground throughout. Paths, walls and lots are laid out there. Vertical sockets say
what stands in a column: a lot carries a house of its own form, a house carries another storey or must end
in a roof or a terrace, and above those is air, and above air only air.

Sides say what goes on beyond. For houses, roofs and lots there is a tile with every mixture of open and
joined sides, so a town can be made in any order.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from draw_tilesets import blocks_garden as garden
from draw_tilesets import blocks_models as models
from draw_tilesets.blocks_voxels import Model, air
from wavefold.tiles.tile import Tile
from wavefold.tiles.tileset import TileSet

# What a side shows: nothing in particular, or what goes on beyond.
GROUND, PATH, WALL, YARD = "ground", "path", "wall", "yard"  # in the lowest layer
OPEN, ROOM, RIDGE, WALK = "open", "room", "ridge", "walk"  # above it
# What lies between two layers.
HOUSE, TOWER, BELFRY, GARDEN, KEEP = "house", "tower", "belfry", "garden", "keep"
SKY, NOTHING = "sky", "nothing"
# Every way to join sides, up to turning: name, joined sides, how it is turned.
Turns = str | tuple[int, ...]
SHAPES: tuple[tuple[str, str, Turns], ...] = (
    ("", "", "fixed"),
    ("-end", "N", "turned"),
    ("-line", "NS", (0, 90)),
    ("-bend", "NE", "turned"),
    ("-tee", "NEW", "turned"),
    ("-cross", "NESW", "fixed"),
)
JOIN = 2.0  # how much rather two sides are joined than not
# Weights of the ground are shares of it, in percent, and very much heavier than what is above. The next
# layer repeats them, so that it makes no difference which of the two is decided first. What comes higher up
# weighs several times as much as air: a place is less certain than the one below it, so a town grows from
# the ground when the most certain place is decided first.
GROUND_LEVEL = 3e5  # about as much as weights of 24 bits leave room for


def blocks() -> TileSet:
    """A walled town in three dimensions: timbered houses, gardens, paths, gates and tall towers."""
    sky = Tile("air", (OPEN,) * 4 + (SKY, SKY), 40.0, picture=air())
    return TileSet(
        [*grounds(), *gardens(), *lots(), *houses(), *walls(), *towers(), sky],
        "cube",
        "blocks",
        description=(blocks.__doc__ or "").strip(),
        size=(12, 12, 12),
    )


def ground(
    name: str, around: tuple[str, ...], above: str, share: float, model: Model, symmetry: Turns = "fixed"
) -> Tile:
    """A tile of the lowest layer."""
    return Tile(name, (*around, above, NOTHING), share * GROUND_LEVEL, symmetry, model)


def grounds() -> Iterator[Tile]:
    """Grass, and paths through it."""
    plain = (GROUND,) * 4
    yield ground("grass", plain, SKY, 20, garden.grass())
    yield ground("flowers", plain, SKY, 7, garden.flowers())
    yield ground("bed", plain, GARDEN, 19, garden.grass())
    for name, joined, symmetry in SHAPES[1:]:
        share = {"-end": 0.3, "-line": 4.0, "-bend": 0.6, "-tee": 0.5, "-cross": 0.5}[name]
        yield ground("path" + name, sides(joined, PATH, GROUND), SKY, share, garden.pave(joined), symmetry)


def gardens() -> Iterator[Tile]:
    """What stands in a garden, on the ground or on a roof."""
    plain = (OPEN,) * 4
    yield Tile("tree", (*plain, SKY, GARDEN), 8.0, picture=garden.tree())
    yield Tile("fir", (*plain, SKY, GARDEN), 6.0, picture=garden.fir())
    yield Tile("hedge", (*plain, SKY, GARDEN), 4.0, picture=garden.hedge())
    yield Tile("well", (*plain, SKY, GARDEN), 0.5, picture=garden.well())
    yield Tile("stairs", ("step<", OPEN, OPEN, OPEN, SKY, GARDEN), 0.5, "turned", models.stairs())


def lots() -> Iterator[Tile]:
    """Where houses stand: each lot carries a ground floor that is joined to others without changes."""
    for flags in product((False, True), repeat=4):
        joined = "".join(side for side, is_joined in zip("NESW", flags, strict=True) if is_joined)
        lot = f"lot-{joined.lower() or 'alone'}"
        share = (3.0, 5.0, 9.0 if joined in ("NS", "EW") else 3.0, 1.0, 0.2)[len(joined)]
        yield ground(lot, sides(joined, YARD, GROUND), lot, share, garden.pave(""))
        shop = lot.replace("lot", "shop")
        yield Tile(shop, (*sides(joined, ROOM, OPEN), HOUSE, lot), share, picture=models.shop(joined))


def houses() -> Iterator[Tile]:
    """Storeys, and what may end them."""
    for name, joined, symmetry in SHAPES:
        liking = JOIN ** len(joined)
        rooms, ridges, walks = (sides(joined, each, OPEN) for each in (ROOM, RIDGE, WALK))
        yield Tile("house" + name, (*rooms, HOUSE, HOUSE), 23 * liking, symmetry, models.house(joined))
        yield Tile(
            "shutters" + name, (*rooms, HOUSE, HOUSE), 17 * liking, symmetry, models.house(joined, True)
        )
        yield Tile("roof" + name, (*ridges, SKY, HOUSE), 30 * liking, symmetry, models.roof(joined))
        yield Tile("chimney" + name, (*ridges, SKY, HOUSE), 15 * liking, symmetry, models.roof(joined, True))
        yield Tile("terrace" + name, (*walks, SKY, HOUSE), 6 * liking, symmetry, models.terrace(joined))
    plain = (OPEN,) * 4
    yield Tile("roof-garden", (*plain, GARDEN, HOUSE), 3.0, picture=models.terrace(""))
    yield Tile("belfry", (*plain, BELFRY, HOUSE), 7.0, picture=models.belfry(bells=False))
    yield Tile("bells", (*plain, BELFRY, BELFRY), 1.0, picture=models.belfry())
    yield Tile("steeple", (*plain, SKY, BELFRY), 2.0, picture=models.steeple())


def walls() -> Iterator[Tile]:
    """The town wall: towers where it turns or ends, gates where a path goes through."""
    for name, joined, symmetry in SHAPES:
        share = {"": 1.0, "-end": 0.15, "-line": 0.3, "-bend": 0.3, "-tee": 0.03, "-cross": 0.01}[name]
        yield ground("keep" + name, sides(joined, WALL, GROUND), KEEP, share, garden.pave(""), symmetry)
    for way, along, across, turn in (("ns", "NS", "EW", 0), ("ew", "EW", "NS", 1)):
        wall, gate = f"wall-{way}", f"gate-{way}"
        yield ground(f"footing-{way}", sides(along, WALL, GROUND), wall, 1.5, garden.pave(""))
        yield Tile(wall, (OPEN,) * 4 + (SKY, wall), 1.5, picture=models.wall(turn))
        yield ground(f"gateway-{way}", sides(along, WALL, PATH), gate, 1.2, garden.pave(across))
        yield Tile(gate, (OPEN,) * 4 + (SKY, gate), 1.2, picture=models.gate(turn))


def towers() -> Iterator[Tile]:
    """Round towers of any height; some have stairs that lead to their door."""
    plain = (OPEN,) * 4
    yield Tile("tower-foot", (*plain, TOWER, KEEP), 1.0, picture=models.tower())
    yield Tile(
        "tower-stairs", ("step>", OPEN, OPEN, OPEN, TOWER, KEEP), 1.0, "turned", models.tower(door=True)
    )
    yield Tile("tower", (*plain, TOWER, TOWER), 17.0, (0, 90), models.tower(window=True))
    yield Tile("spire", (*plain, SKY, TOWER), 22.0, picture=models.spire())
    yield Tile("battlements", (*plain, SKY, TOWER), 15.0, picture=models.battlements())


def sides(joined: str, inside: str, outside: str) -> tuple[str, ...]:
    """A socket for each of the four sides."""
    return tuple(inside if side in joined else outside for side in "NESW")
