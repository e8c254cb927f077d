"""The ladder of search: what to do when going back one step is not enough.

backtracking with refutation → jump back → local repair → restart → exact. Each rung can be used alone.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Integral, Real

from wavefold.errors import ConfigError, suggest

UNLIMITED = 1 << 40


@dataclass(frozen=True, slots=True)
class Ladder:
    """How long each rung is used before the next.

    patience : conflicts borne without progress before the next rung; -1: all of them
    jumps : jumps back in one try
    repairs, repairs_per_cell : local repairs in one try: so many, and so many more per cell of the map
    radius : of the first ball that is opened around a conflict
    restarts : tries with the next seed of the chain
    exact : whether to end with complete search, which may prove that nothing exists
    """

    patience: int = -1
    jumps: int = 0
    repairs: int = 0
    repairs_per_cell: float = 0.0
    radius: int = 2
    restarts: int = 0
    exact: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            kind = Real if field.name == "repairs_per_cell" else Integral
            low = -1 if field.name == "patience" else 0
            if not isinstance(value, kind) or not low <= float(value) <= UNLIMITED:
                raise ConfigError(f"{field.name} of a ladder must be a number from {low}, not {value!r}")

    def repairs_on(self, cells: int) -> int:
        """How many repairs one try may use on a map of this size."""
        return self.repairs + int(self.repairs_per_cell * cells)


SEARCHES = {
    "auto": Ladder(patience=24, jumps=2, repairs=64, repairs_per_cell=0.25, restarts=8, exact=True),
    "backtrack": Ladder(),
    "backjump": Ladder(patience=24, jumps=UNLIMITED),
    "repair": Ladder(patience=24, repairs=UNLIMITED),
    "restart": Ladder(patience=24, restarts=UNLIMITED),
    "exact": Ladder(exact=True),
    "sat": Ladder(),
}


def ladder_named(search: str | Ladder) -> Ladder:
    """The ladder of this name."""
    if isinstance(search, Ladder):
        return search
    if not isinstance(search, str) or search not in SEARCHES:
        raise ConfigError(f"unknown search {search!r}; {suggest(search, SEARCHES)}")
    return SEARCHES[search]
