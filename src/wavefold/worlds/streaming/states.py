"""The state of each chunk at one moment: in memory, in the store, only its borders, or absent."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wavefold.worlds.store.database import Position

if TYPE_CHECKING:
    from wavefold.worlds.world import World

FINAL, STORED, PROVISIONAL, ABSENT = "final", "stored", "provisional", "absent"


class ChunkState(NamedTuple):
    """A chunk and its state.

    state : "final" in memory; "stored" in the file; "provisional" if its borders exist, so that a provisional
        chunk can be made; or "absent"
    edits : applied edits that affect it
    """

    x: int
    y: int
    state: str
    edits: int


def read_states(world: World, x0: int, y0: int, width: int, height: int) -> list[ChunkState]:
    """The chunks of a rectangle, in chunks, row by row. Nothing is generated, and no chunk is read."""
    positions = [(x0 + i, y0 + j) for j in range(height) for i in range(width)]
    stored = set() if world.parts.file is None else world.parts.file.store.find_stored(x0, y0, width, height)
    patches = world.parts.log.overlay.on(positions)
    return [
        ChunkState(x, y, find_state(world, (x, y), stored), len(over))
        for (x, y), over in zip(positions, patches, strict=True)
    ]


def find_state(world: World, position: Position, stored: set[Position]) -> str:
    """The state of one chunk."""
    plan, cache = world.plan, world.parts.generator.cache
    interior = plan.interior(*position)
    if cache.peek(interior.key) is not None:
        return FINAL
    if position in stored:
        return STORED
    has_borders = all(cache.peek(need.key) is not None for need in plan.needs(interior))
    return PROVISIONAL if has_borders else ABSENT
