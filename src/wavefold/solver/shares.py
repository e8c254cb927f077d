"""Shares: the target share of the map for each tile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real

from wavefold.errors import ConfigError
from wavefold.tiles.tileset_arguments import SHARE_TOLERANCE


@dataclass(frozen=True, eq=False)
class Shares:
    """The target share of cells of each tile, pattern or group: a target of refining, not a rule.

    Other tiles divide the rest by weight. `stats.shares` of a refined map lists targets and results;
    `stats.refinement.missed` lists the names that missed their target by more than `tolerance`.

    >>> Shares({"water": 0.3, "forest": 0.2})
    """

    shares: Mapping[str, float]
    tolerance: float = 0.02

    def __post_init__(self) -> None:
        if not isinstance(self.shares, Mapping) or not self.shares:
            raise ConfigError(f"shares must be a dict such as {{'water': 0.3}}, not {self.shares!r}")
        listed = [(f"the share of {name!r}", share) for name, share in self.shares.items()]
        for what, share in (*listed, ("the tolerance", self.tolerance)):
            if isinstance(share, bool) or not isinstance(share, Real) or not 0 <= share <= 1:
                raise ConfigError(f"{what} must be a number from 0 to 1, not {share!r}")
        total = float(sum(self.shares.values()))
        if total > 1 + SHARE_TOLERANCE:
            raise ConfigError(f"the shares add up to {total:.9g}; they must not exceed 1")
        object.__setattr__(self, "shares", dict(self.shares))
