"""What a configuration with every section asks for, and the map it gives."""

from pathlib import Path

import numpy as np
from cases import scene
from reading import read_map

import wavefold as wf
from wavefold.config import load_config

FILE = Path(__file__).with_name("configuration") / "wavefold.toml"


@scene("configuration", plain=True)
def _():
    effective = load_config(FILE, environment={})
    tiles = effective.tiles()
    grid = effective.topology(tiles)
    parts = effective.parts(tiles, grid)
    fields = list(effective.fields.at(grid).values())
    problem = {name: np.asarray(parts[name], float) for name in ("weights", "masks") if name in parts}
    budget = [effective.budget.ms, effective.budget.decisions, effective.budget.backtracks]
    picture = effective.picture_parts()
    ways = [str(parts[name]) for name in ("seed", "propagation", "undo")]
    return {
        "what is asked": [repr(grid), ways, budget, *problem.values()],
        "fields": fields,
        "picture": [{name: picture[name] for name in ("tile_size", "scale", "layers")}],
    }


@scene("configuration, its map")
def _():
    effective = load_config(FILE, environment={})
    tiles = effective.tiles()
    grid = effective.topology(tiles)
    return read_map(wf.generate(tiles, grid, **effective.parts(tiles, grid)))
