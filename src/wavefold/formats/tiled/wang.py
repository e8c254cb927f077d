"""Tile sets of Tiled with a Wang set ("terrain set"), whose colours become sockets.

A Wang set colours the corners of tiles, the edges, or both. Two sides match if they have the same colours
where they touch. An unset colour matches only an unset colour.
"""

from __future__ import annotations

import os
from math import isfinite, prod
from pathlib import Path
from typing import NamedTuple

from wavefold.errors import suggest
from wavefold.formats.nodes import Node
from wavefold.formats.tiled.document import read_document
from wavefold.formats.tiled.tileset import TiledTileSet, make_unique, orient_tile_picture
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.options.values import fail_limit
from wavefold.storage.files import AnyFile
from wavefold.tiles import Orientation, Pixels, Tile, TileSet, get_ring

MOST_PATTERNS = 8192
MOST_COLOURS = 255
UNSET_COLOUR = "-"

RING = get_ring("square")
# A Wang id goes clockwise from the top: edge, corner, edge, …
WANG_POSITIONS = {"corner": (1, 3, 5, 7), "edge": (0, 2, 4, 6), "mixed": tuple(range(8))}

WangId = tuple[int, ...]  # 8 numbers of colours from 1; 0: not set


def read_tiled_tileset(path: str | os.PathLike[str], wangset: str | None = None) -> TileSet:
    """Read the tile set in a .tsx or .tsj file, with its only Wang set or the one of this name.

    Sockets name the colours along a side: `grass|grass` or `grass|sand>` (which matches `grass|sand<`) for
    corners, `road` for edges, and `grass|road|sand>` for both. The weight of a tile is its probability times
    the probabilities of its colours, as in Tiled; tiles of probability 0 are left out. The allowed
    transformations become the symmetry of the tiles; with "prefer untransformed", only if no drawn tile has
    the same colours.
    """
    return load_tiled_tileset(Path(path), wangset)


def load_tiled_tileset(
    source: AnyFile, wangset: str | None = None, most_patterns: int = MOST_PATTERNS
) -> TileSet:
    """Like `read_tiled_tileset`, for any kind of file. Raises before reading pictures for more patterns."""
    drawn = TiledTileSet(read_document(source, "tileset"))
    orientation = drawn.node.child("grid").text("orientation", "orthogonal")
    if orientation != "orthogonal":
        drawn.node.fail(f"is for {orientation} maps; only orthogonal tile sets can be read")
    chosen = choose_wangset(drawn.node, wangset)
    colours = parse_colours(chosen)
    wang_ids = parse_wang_ids(chosen, drawn, len(colours))
    weights = {
        number: compute_weight(drawn, number, wang_id, colours) for number, wang_id in wang_ids.items()
    }
    wang_ids = {number: wang_id for number, wang_id in wang_ids.items() if weights[number]}
    if not wang_ids:
        chosen.fail("has no tile with a probability above 0; a tile set needs at least one")
    ways = list_orientations(drawn.node.child("transformations"), wang_ids)
    if sum(len(each) for each in ways.values()) > (most := min(most_patterns, MOST_PATTERNS)):
        problem = f"has more than {most:,} tiles, counted with their transformations"
        fail_limit(chosen.fail, problem, "patterns", most)
    words = SocketNames(colours, wang_ids)
    tiles = []
    for number, wang_id in wang_ids.items():
        checkpoint()
        picture = drawn.pictures.read(number)
        symmetry = tuple(RING.spell(each) for each in pick_orientations(ways[number], wang_id, picture))
        tiles.append(Tile(drawn.name_of(number), words.sockets(wang_id), weights[number], symmetry, picture))
    return TileSet(tiles, name=f"{drawn.name}, {chosen.text('name', '')}".strip(", "))


def wangsets(path: str | os.PathLike[str]) -> list[str]:
    """The names `read_tiled_tileset` accepts as a Wang set of this file, in its order."""
    root = read_document(Path(path), "tileset")
    return [each.text("name", "") for each in root.every("wangsets")]


def choose_wangset(root: Node, name: str | None) -> Node:
    """The Wang set of this name, or the only one."""
    sets = root.every("wangsets")
    names = [each.text("name", "") for each in sets]
    if not sets:
        terrain = " (files of Tiled before 1.5: open and save them again)" * ("terrains" in root)
        root.fail(
            f"has no Wang set{terrain} and so no rules; draw a terrain set in Tiled, or "
            "draw a map with these tiles and load its .tmx or .tmj"
        )
    found = sets if name is None else [each for each, its in zip(sets, names, strict=True) if its == name]
    if not found:
        root.fail(f"has no Wang set {name!r}; {suggest(name, names)}")
    if len(found) > 1 and name is None:
        root.fail(
            f"has {len(found)} Wang sets; choose one, such as wangset={names[0]!r}; known: {', '.join(names)}"
        )
    if len(found) > 1:
        root.fail(f"has {len(found)} Wang sets called {name!r}; rename one in Tiled")
    return found[0]


# --- colours ------------------------------------------------------------------------------------


class Colour(NamedTuple):
    """A colour of a Wang set."""

    word: str  # its name, without the signs of sockets
    probability: float


def parse_colours(chosen: Node) -> list[Colour]:
    """The colours in their order."""
    if "cornercolors" in chosen or "edgecolors" in chosen:
        chosen.fail("was saved by Tiled before 1.5; open and save it in a newer version")
    colours: list[Colour] = []
    taken = {UNSET_COLOUR}
    for number, node in enumerate(chosen.every("colors"), 1):
        if number > MOST_COLOURS:
            chosen.fail(f"has more than {MOST_COLOURS} colours")
        word = node.text("name", "").strip() or f"colour {number}"
        for sign in "|<>":  # the signs used in sockets
            word = word.replace(sign, "_")
        word = make_unique(word, taken)
        taken.add(word)
        colours.append(Colour(word, node.share("probability", 1.0)))
    return colours


def parse_wang_ids(chosen: Node, drawn: TiledTileSet, colours: int) -> dict[int, WangId]:
    """{tile: Wang id}, with only the positions that the type of the set uses."""
    kind = chosen.text("type", "mixed")
    if kind not in WANG_POSITIONS:
        chosen.fail_field("type", "corner, edge or mixed")
    found: dict[int, WangId] = {}
    for node in chosen.every("wangtiles"):
        number, wang_id = node.whole("tileid"), node.wholes("wangid")
        if len(wang_id) != 8 or max(wang_id) > colours:
            node.fail_field("wangid", f"8 numbers of colours from 1 to {colours}, or 0")
        if number not in drawn.pictures:
            node.fail(f"names tile {number}, which is not in the tile set")
        if number in found:
            node.fail(f"names tile {number}, like an earlier one; list each tile once")
        found[number] = tuple(
            each if position in WANG_POSITIONS[kind] else 0 for position, each in enumerate(wang_id)
        )
    return {number: wang_id for number, wang_id in found.items() if any(wang_id)}


def compute_weight(drawn: TiledTileSet, number: int, wang_id: WangId, colours: list[Colour]) -> float:
    """The probability of a tile times the probabilities of its colours."""
    factors = [drawn.probability(number), *(colours[each - 1].probability for each in wang_id if each)]
    weight = prod(factors)
    if not isfinite(weight) or (weight == 0 and all(factors)):
        drawn.node.fail(f"has probabilities whose product is {weight:g} for tile {number}")
    return weight


class SocketNames:
    """Names sockets. Corners or edges are left out if no tile has any."""

    def __init__(self, colours: list[Colour], wang_ids: dict[int, WangId]) -> None:
        self.words = [UNSET_COLOUR, *(colour.word for colour in colours)]
        self.corners = any(any(wang_id[1::2]) for wang_id in wang_ids.values())
        self.edges = any(any(wang_id[0::2]) for wang_id in wang_ids.values())

    def sockets(self, wang_id: WangId) -> tuple[str, ...]:
        """The sockets of the sides: north, east, south, west."""
        return tuple(
            self.socket(wang_id[2 * side - 1], wang_id[2 * side], wang_id[2 * side + 1]) for side in range(4)
        )

    def socket(self, first: int, edge: int, last: int) -> str:
        """The socket of a side, whose colours are given clockwise around the tile.

        The neighbour has the same colours in reverse order. An asymmetric side is named from the end with the
        lower colour, and marked by its direction.
        """
        low, high = sorted((first, last))
        colours = [low] * self.corners + [edge] * self.edges + [high] * self.corners
        mark = "" if first == last else ">" if first < last else "<"
        return "|".join(self.words[each] for each in colours) + mark


# --- transformations ----------------------------------------------------------------------------


def list_orientations(allowed: Node, wang_ids: dict[int, WangId]) -> dict[int, list[Orientation]]:
    """The allowed orientations of each tile: as drawn, then by the transformations of the set."""
    steps = {"hflip": Orientation(0, True), "vflip": Orientation(2, True), "rotate": Orientation(1)}
    found = [Orientation()]
    for each in found:  # grows as it goes
        for more in (step.after(each, 4) for name, step in steps.items() if allowed.flag(name)):
            if more not in found:
                found.append(more)
    found.sort(key=lambda each: (each.mirrored, each.turn))
    as_drawn = set(wang_ids.values()) if allowed.flag("preferuntransformed") else set()
    return {
        number: [found[0], *(each for each in found[1:] if orient_wang_id(wang_id, each) not in as_drawn)]
        for number, wang_id in wang_ids.items()
    }


def pick_orientations(ways: list[Orientation], wang_id: WangId, picture: Pixels) -> list[Orientation]:
    """The orientations, without those in which a tile looks and fits as in an earlier one."""
    seen: set[tuple[WangId, tuple[int, ...], bytes]] = set()
    kept = []
    for each in ways:
        art = orient_tile_picture(picture, each)
        look = (orient_wang_id(wang_id, each), art.shape, art.tobytes())
        if look not in seen:
            seen.add(look)
            kept.append(each)
    return kept


def orient_wang_id(wang_id: WangId, orientation: Orientation) -> WangId:
    """The Wang id of a turned tile."""
    moved = [0] * 8
    for position, colour in enumerate(wang_id):
        mirrored = -position if orientation.mirrored else position
        moved[(mirrored + 2 * orientation.turn) % 8] = colour
    return tuple(moved)
