"""Wave Function Collapse in plain Python, to see what our parts are worth.

Domains are sets of tile objects, one per cell. How a domain narrows its neighbour is passed in, so that
the same algorithm runs over a predicate and over tables.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from wavefold.tiles import TileSet

OPPOSITE = (2, 3, 0, 1)
Domain = set[Any]
Narrow = Callable[[int, Domain, Domain], Domain]  # direction, domain here, domain there -> what is left there


class BaselineTile:
    """A tile as an object: its number, its weight, the socket on each side."""

    __slots__ = ("number", "sockets", "weight")

    def __init__(self, number: int, sockets: tuple[str, ...], weight: float) -> None:
        self.number, self.sockets, self.weight = number, sockets, weight


def plain_tiles(tiles: TileSet) -> list[BaselineTile]:
    """One object per pattern of a tile set that was made from sockets."""
    return [
        BaselineTile(number, pattern.sockets or (), pattern.tile.weight)
        for number, pattern in enumerate(tiles.patterns)
    ]


def may_touch(direction: int, here: BaselineTile, there: BaselineTile) -> bool:
    """The rule as an author would write it."""
    return here.sockets[direction] == there.sockets[OPPOSITE[direction]]


def by_predicate(_tiles: Sequence[BaselineTile]) -> Narrow:
    """Ask the rule for every pair, each time."""

    def narrow(direction: int, here: Domain, there: Domain) -> Domain:
        return {b for b in there if any(may_touch(direction, a, b) for a in here)}

    return narrow


def by_pairs(tiles: Sequence[BaselineTile]) -> Narrow:
    """Ask the rule once per pair, before; then look each pair up."""
    table = [[[may_touch(direction, a, b) for b in tiles] for a in tiles] for direction in range(4)]

    def narrow(direction: int, here: Domain, there: Domain) -> Domain:
        side = table[direction]
        return {b for b in there if any(side[a.number][b.number] for a in here)}

    return narrow


def by_rows(tiles: Sequence[BaselineTile]) -> Narrow:
    """Ask the rule once per pair, before; then look up everything a tile allows at once."""
    table = [[{b for b in tiles if may_touch(direction, a, b)} for a in tiles] for direction in range(4)]

    def narrow(direction: int, here: Domain, there: Domain) -> Domain:
        side = table[direction]
        return there & set().union(*(side[a.number] for a in here))

    return narrow


def solve_plainly(
    tiles: Sequence[BaselineTile],
    neighbours: Sequence[Sequence[int]],
    narrow: Narrow,
    seed: int,
    watch: Callable[[], object] = lambda: None,
) -> list[int]:
    """Cell by cell in order: choose by weight, propagate. The number of each cell's tile.

    `watch` is called after each decision. A contradiction starts the map again with the next seed.
    """
    random = Random(seed)
    domains: list[Domain] = [set(tiles) for _ in neighbours]
    for cell, domain in enumerate(domains):
        if len(domain) == 1:
            continue
        choices = sorted(domain, key=lambda tile: tile.number)
        domains[cell] = set(random.choices(choices, [tile.weight for tile in choices]))
        if not propagate_plainly(domains, neighbours, narrow, cell):
            return solve_plainly(tiles, neighbours, narrow, seed + 1_000_003, watch)
        watch()
    return [tile.number for (tile,) in domains]


def propagate_plainly(
    domains: list[Domain], neighbours: Sequence[Sequence[int]], narrow: Narrow, changed: int
) -> bool:
    """Arc consistency from one changed cell. False if a domain was emptied."""
    queue = deque([changed])
    while queue:
        cell = queue.popleft()
        for direction, other in enumerate(neighbours[cell]):
            if other < 0:
                continue
            left = narrow(direction, domains[cell], domains[other])
            if len(left) < len(domains[other]):
                domains[other] = left
                queue.append(other)
                if not left:
                    return False
    return True
