"""Rebuilding: solve a small disk of the map again, with a different result."""

from __future__ import annotations

from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError, OutOfBudget
from wavefold.patchwork.join_context import JoinContext, JoinResult
from wavefold.patchwork.joins import Join
from wavefold.patchwork.plan import Cell

LARGEST = 64  # radius
STAGE = -1  # seeds of rebuilding: grids begin theirs with their key, and end them with what is above 0


def rebuild_disk(
    context: JoinContext, join: Join, cell: Cell, radius: object, number: int
) -> dict[Cell, int]:
    """{cell: pattern} for the populated cells of a disk, at least one of them new."""
    size = parse_integer(radius)
    if size is None or not 0 <= size <= LARGEST:
        raise ConfigError(f"the radius of a rebuild is a whole number from 0 to {LARGEST}, not {radius!r}")
    if cell not in context.patterns:
        raise ConfigError(f"cell {cell} is not populated: there is nothing to rebuild")
    inside = {each: None for each in context.plan.disk(cell, size) if each in context.patterns}
    disk = list(inside)
    later = join.beyond(context, [each for each in context.plan.disk(cell, size + 1) if each not in inside])
    # Dropped cells are solved along with the disk if that succeeds; otherwise all but the named one stay.
    sound = [each for each in disk if each not in context.dropped or each == cell]
    for free in [disk, sound] if 0 < len(sound) < len(disk) else [disk]:
        found = solve_differently(context, free, later, (*cell, STAGE, number))
        if found is not None:
            return found
    if cell in context.dropped:
        raise OutOfBudget(
            f"the dropped cell {cell} could not be made to fit again with a disk of radius {size}; "
            "nothing changed. Try a larger radius"
        )
    raise OutOfBudget(
        f"the disk of radius {size} around {cell} was not rebuilt: no other solution was found that fits its "
        "surroundings; nothing changed. Try a larger radius"
    )


def solve_differently(
    context: JoinContext, free: list[Cell], later: dict[Cell, int], position: tuple[int, ...]
) -> dict[Cell, int] | None:
    """Solve these cells with several seeds until at least one of them differs; None if none does."""
    region = context.region(free, [*context.around(free), *later], later)
    for attempt in range(2 * context.retries.replace):
        tried = context.solve(region, JoinResult(), 1, *position, attempt)
        if tried.is_proof:
            break
        if tried.patterns and any(tried.patterns[each] != context.patterns[each] for each in free):
            return tried.patterns
    return None
