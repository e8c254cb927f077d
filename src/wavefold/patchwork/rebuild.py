"""Rebuilding: a small disk of the map is made anew, and comes out different."""

from __future__ import annotations

from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError, OutOfBudget
from wavefold.patchwork.join_context import JoinContext, JoinResult
from wavefold.patchwork.joins import Join
from wavefold.patchwork.plan import Cell

LARGEST = 64  # radius
STAGE = -1  # seeds of rebuilding: grids begin theirs with their key, and end them with what is above 0


def rebuilt(context: JoinContext, join: Join, cell: Cell, radius: object, number: int) -> dict[Cell, int]:
    """{cell: pattern} for the populated cells of a disk, at least one of them new."""
    size = parse_integer(radius)
    if size is None or not 0 <= size <= LARGEST:
        raise ConfigError(f"the radius of a rebuild is a whole number from 0 to {LARGEST}, not {radius!r}")
    if cell not in context.patterns:
        raise ConfigError(f"cell {cell} is not populated: there is nothing to rebuild")
    inside = {each: None for each in context.plan.disk(cell, size) if each in context.patterns}
    disk = list(inside)
    later = join.beyond(context, [each for each in context.plan.disk(cell, size + 1) if each not in inside])
    # Cells that were given up are made to fit again if they can be; if not, they are left as they are, but
    # for the one that was named.
    sound = [each for each in disk if each not in context.dropped or each == cell]
    for opened in [disk, sound] if 0 < len(sound) < len(disk) else [disk]:
        found = changed(context, opened, later, (*cell, STAGE, number))
        if found is not None:
            return found
    if cell in context.dropped:
        raise OutOfBudget(
            f"cell {cell}, which was given up, could not be made to fit again by a disk of radius {size}; "
            "nothing changed. Try a larger radius"
        )
    raise OutOfBudget(
        f"the disk of radius {size} around {cell} was not rebuilt: nothing else was found that fits what is "
        "around it; nothing changed. Try a larger radius"
    )


def changed(
    context: JoinContext, opened: list[Cell], later: dict[Cell, int], place: tuple[int, ...]
) -> dict[Cell, int] | None:
    """These cells solved anew, with as many seeds as it takes for one to be different; None if none is."""
    region = context.region(opened, [*context.around(opened), *later], later)
    for attempt in range(2 * context.retries.replace):
        tried = context.solve(region, JoinResult(), 1, *place, attempt)
        if tried.is_proof:
            break
        if tried.patterns and any(tried.patterns[each] != context.patterns[each] for each in opened):
            return tried.patterns
    return None
