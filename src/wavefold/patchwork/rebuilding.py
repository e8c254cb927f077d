"""Rebuilding: a small disk of the map is made anew, and comes out different."""

from __future__ import annotations

from wavefold.errors import ConfigError, Contradiction, OutOfBudget
from wavefold.patchwork.ground import Ground, Grown
from wavefold.patchwork.joins import Join
from wavefold.patchwork.plan import Cell
from wavefold.topology.values import integer

__all__ = ["rebuilt"]

LARGEST = 64  # radius
STAGE = -1  # seeds of rebuilding: grids begin theirs with their key, and end them with what is above 0


def rebuilt(ground: Ground, join: Join, cell: Cell, radius: object, number: int) -> dict[Cell, int]:
    """{cell: pattern} for the populated cells of a disk, at least one of them new."""
    size = integer(radius)
    if size is None or not 0 <= size <= LARGEST:
        raise ConfigError(f"the radius of a rebuild is a whole number from 0 to {LARGEST}, not {radius!r}")
    if cell not in ground.patterns:
        raise ConfigError(f"cell {cell} is not populated: there is nothing to rebuild")
    opened = [each for each in ground.plan.disk(cell, size) if each in ground.patterns]
    held = ground.around(opened)
    later = join.beyond(ground, [each for each in ground.plan.disk(cell, size + 1) if each not in opened])
    grown = Grown()
    for attempt in range(2 * ground.retries.replace):
        task = ground.task(opened, [*held, *later], later)
        tried = ground.solve(task, grown, 1, *cell, STAGE, number, attempt)
        if tried.is_proof:
            break
        if tried.patterns is not None and any(
            tried.patterns[each] != ground.patterns[each] for each in opened
        ):
            return tried.patterns
    where = f"the disk of radius {size} around {cell}"
    if tried.is_proof:
        raise Contradiction(f"{where} cannot be rebuilt: nothing fits what is around it; nothing changed")
    raise OutOfBudget(
        f"{where} was not rebuilt: nothing else was found that fits what is around it; nothing changed. "
        "Try a larger radius"
    )
