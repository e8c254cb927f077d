"""A chunk to be generated, and the windows that are still missing."""

from __future__ import annotations

from collections.abc import Iterator

from wavefold.world.plan import INTERIOR, Plan, Window

# Requested just now; may be needed soon; was requested, but many others have been since.
URGENT, SOON, STALE = range(3)

Key = tuple[int, int, int]
Priority = tuple[int, int]  # (URGENT, SOON or STALE; order within), lowest first


class Job:
    """A chunk that is requested, and its windows that are not generated yet."""

    def __init__(self, plan: Plan, cx: int, cy: int, priority: Priority, is_finished: bool = False) -> None:
        self.position = (cx, cy)
        self.priority = priority
        self.interior = plan.interior(cx, cy)
        windows = () if is_finished else plan.for_chunk(cx, cy)
        self.missing: dict[Key, Window] = {window.key: window for window in windows}
        self.needs: dict[Key, list[Key]] = {
            window.key: [need.key for need in plan.needs(window)] for window in self.missing.values()
        }
        self.waiting = 0  # calls that wait for it at this moment
        self.requested_by: object = None  # the last prefetch that includes it
        self.error: BaseException | None = None
        self.is_dropped = False

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen: it is finished, dropped, or failed."""
        return not self.missing or self.is_dropped or self.error is not None

    @property
    def has_borders(self) -> bool:
        """Whether at most the interior is missing."""
        return all(window.stage == INTERIOR for window in self.missing.values())

    def ready_windows(self) -> Iterator[Window]:
        """The missing windows that need none of the other missing ones."""
        for key, window in list(self.missing.items()):
            if not any(need in self.missing for need in self.needs[key]):
                yield window
