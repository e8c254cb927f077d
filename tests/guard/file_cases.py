"""What is found in files that were written before, and what comes of going on with them."""

import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from cases import learn_sample, load_tiles, scene
from reading import read_drawn, read_edit, read_map, read_patchwork, read_rules

import wavefold as wf

FOLDER = Path(__file__).with_name("before")


@contextmanager
def copy(kind):
    """The files of one kind, in a folder where they may be written to."""
    with TemporaryDirectory() as place:
        yield Path(shutil.copytree(FOLDER / kind, Path(place) / kind))


# --- tile sets ----------------------------------------------------------------------------------


def open_tiles(name):
    """The rules of a saved tile set, and its pictures."""
    with copy("tiles") as folder:
        tiles = wf.TileSet.load(folder / name)
    pictures = [tile.picture for tile in tiles.tiles if isinstance(tile.picture, np.ndarray)]
    return {"rules": read_rules(tiles.rules), "pictures": [tiles.name, tiles.topology, *pictures]}


for path in sorted((FOLDER / "tiles").glob("*.toml")):
    scene(f"file, tiles, {path.name}", plain=True)(lambda name=path.name: open_tiles(name))

# --- maps ---------------------------------------------------------------------------------------


def open_map(name):
    """A saved map."""
    kind = name.partition(".")[0]
    if kind == "tartan":
        tiles = learn_sample("tartan")
    else:
        tiles = load_tiles(kind if kind in ("blocks", "medieval") else "pipes")
    with copy("maps") as folder:
        return read_drawn(wf.read_map(folder / name, tiles))


def open_named_map(name):
    """A saved map that tells which bundled tile set it was made of."""
    with copy("maps") as folder:
        return read_drawn(wf.read_map(folder / name))


for path in sorted((FOLDER / "maps").iterdir()):
    if path.suffix in (".json", ".npz", ".csv", ".tmj", ".tmx"):
        scene(f"file, map, {path.name}", plain=True)(lambda name=path.name: open_map(name))
        if path.suffix != ".csv" and path.stem != "tartan":
            scene(f"file, map by itself, {path.name}", plain=True)(
                lambda name=path.name: open_named_map(name)
            )

# --- worlds -------------------------------------------------------------------------------------

NEXT = {
    "coast.world": "land",
    "kept.world": "cross",
    "lines.world": "v",
    "pipes.world": "cross",
    "rivers.world": "land",
    "terrain.world": "beach-booo",
}


def open_world(name):
    """A saved world: chunks and edits; edited on, closed, and opened again."""
    with copy("worlds") as folder:
        with wf.World.open(folder / name) as world:
            parts = {
                "chunks": [np.asarray(world.chunk(*place)) for place in ((0, 0), (1, 0), (0, -1))],
                "edits": [world.edits, world.seed],
                "tiles": read_rules(world.rules),
            }
            taken_back = world.undo() if world.edits else None
            parts["one taken back"] = [world.region(-10, -10, 50, 50), taken_back and read_edit(taken_back)]
            parts["an edit more"] = read_edit(world.edit({(11, 12): NEXT[name]}))
        with wf.World.open(folder / name, readonly=True) as again:
            parts["opened again"] = [again.region(-10, -10, 50, 50), again.edits]
    return parts


for name in NEXT:
    scene(f"file, world, {name}")(lambda name=name: open_world(name))


@scene("file, store, joined by the same world")
def _():
    pins = {(3, 3): "cross"}
    with copy("worlds") as folder:
        path = folder / "kept.world"
        with wf.World(load_tiles("pipes"), seed=11, chunk=16, pins=pins, store=path, keep=9) as world:
            chunk = np.asarray(world.chunk(0, 0))
            return [chunk, world.edits, read_edit(world.redo()), world.region(0, 0, 32, 32)]


@scene("file, store, chunks that were kept")
def _():
    with copy("worlds") as folder, wf.World.open(folder / "kept.world", keep=9) as world:
        chunks = [np.asarray(world.chunk(*place)) for place in ((0, 0), (1, 0), (0, -1))]
        assert world.store_report is not None
        return chunks


# --- patchworks ---------------------------------------------------------------------------------


def open_patchwork(name):
    """A saved patchwork, and what it is after it grew on."""
    with copy("patchworks") as folder:
        patchwork = wf.Patchwork.load(folder / name)
        parts = {"as it was": [*read_patchwork(patchwork), patchwork.seed, patchwork.radius]}
        patchwork.populate(patchwork.expandable()[0])
        patchwork.populate(patchwork.expandable()[2])
        parts["grown on"] = read_patchwork(patchwork)
        patchwork.save(folder / name)
        assert wf.Patchwork.load(folder / name).patterns == patchwork.patterns
    return parts


for path in sorted((FOLDER / "patchworks").glob("*.json")):
    scene(f"file, patchwork, {path.name}")(lambda name=path.name: open_patchwork(name))

# --- configuration ------------------------------------------------------------------------------


def load_configuration(folder):
    """A configuration with keys that were removed since, [world] window and stride."""
    from wavefold.config import load_config

    with pytest.warns(DeprecationWarning, match="never had an effect"):
        return load_config(folder / "wavefold.toml", environment={})


@scene("file, configuration", plain=True)
def _():
    with copy("configuration") as folder:
        effective = load_configuration(folder)
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


@scene("file, configuration, its map")
def _():
    with copy("configuration") as folder:
        effective = load_configuration(folder)
        tiles = effective.tiles()
        grid = effective.topology(tiles)
        return read_map(wf.generate(tiles, grid, **effective.parts(tiles, grid)))
