"""How maps of the bundled sets are refined: the sweeps that suit each, chosen by looking, and its activities.

After a change of tiles, weights or neighbour rules run `make calibrate SETS="castle terrain"`. It finds the
activities of these sets again (of all, without SETS), keeps them in activities.json, and draws the sets.
"""

from __future__ import annotations

import json
import re
from copy import copy
from pathlib import Path
from typing import Any

from wavefold import Calibration, calibrate
from wavefold.tiles.tileset import TileSet

STORED = Path(__file__).with_name("activities.json")

# By set: `sweeps` that suit it, and how it is calibrated: see `wavefold.calibrate`.
USUAL = {"rounds": 12, "seeds": 4}
HOW: dict[str, dict[str, Any]] = {
    "blocks": {"sweeps": 0},  # its weights, up to millions, are made for the plain algorithm
    "castle": {"sweeps": 60},
    "circuit": {"sweeps": 40},
    "dungeon": {"sweeps": 40},
    "knots": {"sweeps": 30},
    "meadow": {"sweeps": 40},
    "medieval": {"sweeps": 20, "seeds": 3, "size": (32, 32)},
    "pipes": {"sweeps": 30},
    "terrain": {"sweeps": 30},
}


def with_activities(tiles: TileSet) -> TileSet:
    """A copy with the sweeps and activities that were found for a set, if there are any."""
    found = read_stored().get(tiles.name)
    refined = copy(tiles)
    refined.sweeps = HOW[tiles.name]["sweeps"]
    if found is not None:
        del found["sweeps"]  # with which the activities were found
        found["reached"] = {tile: tuple(pair) for tile, pair in found["reached"].items()}
        refined.calibration = Calibration(**found | {"size": tuple(found["size"])})
    return refined


def read_stored() -> dict[str, dict[str, Any]]:
    """{set: the fields of its `Calibration`, and its sweeps}."""
    stored: dict[str, dict[str, Any]] = json.loads(STORED.read_text("utf-8")) if STORED.exists() else {}
    return stored


def calibrate_set(tiles: TileSet) -> None:
    """Find the activities of a set, and keep them."""
    calibrated = calibrate(tiles, **USUAL | HOW[tiles.name])
    found = calibrated.calibration
    assert found is not None
    stored = read_stored() | {
        tiles.name: {
            "sweeps": calibrated.sweeps,
            "digest": found.digest,
            "seeds": found.seeds,
            "rounds": found.rounds,
            "size": found.size,
            "activities": dict(found.activities),
            "reached": dict(found.reached),
        }
    }
    text = json.dumps(dict(sorted(stored.items())), indent=1)
    text = re.sub(r"\[\s+([^][]*?)\s+\]", lambda found: f"[{' '.join(found[1].split())}]", text)
    STORED.write_text(text + "\n", "utf-8")
    away = sum(abs(asked - seen) for asked, seen in found.reached.values()) / 2
    print(
        f"{tiles.name}: {calibrated.sweeps} sweeps, {away:.1%} of the cells differ from what the weights ask"
    )
