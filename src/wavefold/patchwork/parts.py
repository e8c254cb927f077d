"""The parts of a patchwork, for the modules that save it."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from wavefold.errors import ConfigError
from wavefold.patchwork.arguments import parse_pair
from wavefold.patchwork.join import Join, JoinContext
from wavefold.patchwork.plan import Key
from wavefold.patchwork.refining import GridRefining
from wavefold.patchwork.state import MapState

SHOWN = 24  # keys in a message


@dataclass(slots=True)
class PatchworkParts:
    """The parts of a patchwork; `patchwork.parts` is for code that stores maps.

    growing : held while the map changes
    """

    join: Join
    context: JoinContext
    state: MapState
    refining: GridRefining | None
    growing: threading.RLock = field(default_factory=threading.RLock)

    def check_keys(self, keys: Iterable[Any]) -> list[Key]:
        """The keys of grids that can be made one after another; raises for a key that cannot."""
        plan, populated = self.context.plan, self.state.reports
        there, wanted = dict.fromkeys(populated), [self.check_key(key) for key in keys]
        for key in wanted:
            if key in there:
                again = "is populated already" if key in populated else "is listed twice"
                raise ConfigError(f"grid {key} {again}")
            touches = not there or any(other in there for other in plan.neighbours(key))
            if not touches and not self.join.islands:
                near = plan.surroundings(there)
                shown = ", ".join(map(str, near[:SHOWN])) + (", …" if len(near) > SHOWN else "")
                raise ConfigError(
                    f"grid {key} is out of reach of the map: it touches no populated grid; "
                    f"grids you can add now: {shown}"
                )
            there[key] = None
        return wanted

    def check_key(self, key: Any) -> Key:
        """The key of a grid; raises for a key too far away."""
        found = parse_pair("a key", key)
        if not self.context.plan.in_reach(found):
            raise ConfigError(f"grid {found} is out of reach of the map: coordinates go up to 2**40 cells")
        return found
