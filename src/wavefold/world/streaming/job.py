"""What is to be done: a chunk that somebody wants, and the windows it still needs."""

from __future__ import annotations

from collections.abc import Iterator

from wavefold.world.plan import INTERIOR, Plan, Window

# Asked for just now; may be wanted soon; was asked for, but so much else has been since.
URGENT, SOON, STALE = range(3)

Key = tuple[int, int, int]


class Job:
    """A chunk that is wanted, and its windows that are still to be made."""

    def __init__(self, plan: Plan, i: int, j: int, rank: tuple[int, int], is_made: bool = False) -> None:
        self.place = (i, j)
        self.rank = rank  # lowest first
        self.interior = plan.interior(i, j)
        windows = () if is_made else plan.for_chunk(i, j)
        self.left: dict[Key, Window] = {window.key: window for window in windows}
        self.needs: dict[Key, list[Key]] = {
            window.key: [need.key for need in plan.needs(window)] for window in self.left.values()
        }
        self.waiting = 0  # calls that wait for it at this moment
        self.wanted_by: object = None  # the last that wanted it soon
        self.error: BaseException | None = None
        self.is_dropped = False

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen: it is made, dropped, or failed."""
        return not self.left or self.is_dropped or self.error is not None

    @property
    def has_borders(self) -> bool:
        """Whether all is made but the interior."""
        return all(window.stage == INTERIOR for window in self.left.values())

    def ready(self) -> Iterator[Window]:
        """The windows that could be made now: everything they need is made."""
        for name, window in list(self.left.items()):
            if not any(need in self.left for need in self.needs[name]):
                yield window
