"""The result of calibration: activities of tiles, and the digest of the tile set they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING

from wavefold.errors import TileSetError

if TYPE_CHECKING:
    from wavefold.tiles.tileset import TileSet

LARGEST_ACTIVITY = 100  # larger than any activity that calibration finds


@dataclass(frozen=True, slots=True)
class Calibration:
    """The result of calibration.

    activities : {tile: ln of a factor on its weight}; tiles that are hard to place have larger factors
    digest : the digest of the tile set (`digest_calibrated`); if it differs, the activities are out of date
    seeds, rounds, size : the number of maps that were refined, the number of rounds, the size of the maps
    reached : {tile: (target share of cells, share in the refined maps)}
    """

    activities: Mapping[str, float]
    digest: str
    seeds: int = 0
    rounds: int = 0
    size: tuple[int, ...] = ()
    reached: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for tile, activity in self.activities.items():
            is_number = isinstance(activity, Real) and not isinstance(activity, bool) and isfinite(activity)
            if not is_number or abs(activity) > LARGEST_ACTIVITY:
                raise TileSetError(
                    f"the activity of {tile!r} must be from -{LARGEST_ACTIVITY} to {LARGEST_ACTIVITY}, "
                    f"not {activity!r}"
                )

    def fits(self, tiles: TileSet) -> bool:
        """Whether the tile set is unchanged since calibration."""
        return self.digest == digest_calibrated(tiles)


def digest_calibrated(tiles: TileSet) -> str:
    """A digest of everything that activities depend on: tiles, weights, shares, rules and soft pairs."""
    shares = (f"{name} = {share!r}" for name, share in sorted(tiles.shares.items()))
    parts = "\n".join((tiles.rules.digest, tiles.rules.soft_digest, *tiles.rules.tiles, *shares))
    return blake2b(parts.encode(), digest_size=8).hexdigest()
