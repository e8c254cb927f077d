"""The result of calibrating a tile set, stored with the set."""

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


LARGEST = 100  # beyond any that is found


@dataclass(frozen=True, slots=True)
class Calibration:
    """Activities of tiles, how they were found, and how near maps then come to the targets.

    activities : {tile: ln of the factor that makes up for how hard it is to place}
    digest : of what they were found for, see `digest_calibrated`; after any change there they are stale
    seeds, rounds, size : how many maps of which size were refined, and how often
    reached : {tile: (the target share of cells, the share in maps)}
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
            if not is_number or abs(activity) > LARGEST:
                raise TileSetError(
                    f"the activity of {tile!r} must be from -{LARGEST} to {LARGEST}, not {activity!r}"
                )

    def fits(self, tiles: TileSet) -> bool:
        """Whether the activities were found for these tiles, weights, shares and rules."""
        return self.digest == digest_calibrated(tiles)


def digest_calibrated(tiles: TileSet) -> str:
    """A digest of all that activities depend on: names, weights and shares, what may touch, soft pairs."""
    shares = (f"{name} = {share!r}" for name, share in sorted(tiles.shares.items()))
    parts = "\n".join((tiles.rules.digest, tiles.rules.soft_digest, *tiles.rules.tiles, *shares))
    return blake2b(parts.encode(), digest_size=8).hexdigest()
