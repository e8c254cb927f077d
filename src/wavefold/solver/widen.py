"""Free more and more cells, ring by ring, until a solution is found: for repairs, edits and joins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def widen(radii: Iterable[int], free_ring: Callable[[int], bool]) -> Iterator[int]:
    """Yield each radius after `free_ring(ring)` was called for every ring up to it.

    `free_ring` says whether it freed any cell. The radii end early when a whole step freed none: what failed
    before would only fail again.
    """
    reached: int | None = None
    for radius in radii:
        freed = [free_ring(ring) for ring in range((reached or 0) + 1, radius + 1)]
        if reached is not None and not any(freed):
            return
        reached = radius
        yield radius
