"""`wavefold tilesets`: the named tile sets and samples, with thumbnails."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from inspect import getdoc
from pathlib import Path
from typing import Annotated, Any

import typer

import wavefold as wf
from wavefold.cli.options import AsJson, command
from wavefold.cli.outputs import make_folder, record_written
from wavefold.cli.terminal import print_json
from wavefold.errors import PluginWarning, describe_error
from wavefold.plugins.registry import load_all
from wavefold.storage.files import write_atomically

Entry = dict[str, Any]

SEEDS = range(7, 19)
LEARNED_ACROSS, LEARNED_DOWN = 48, 32  # cells, each a pixel of the sample
LEAST_WIDTH = 288  # pixels: smaller maps are enlarged


@command("Example: wavefold tilesets --thumbnails pictures")
def tilesets(
    as_json: AsJson = False,
    samples: Annotated[
        bool, typer.Option("--samples", help="List the pictures to learn from instead.")
    ] = False,
    thumbnails: Annotated[
        Path | None,
        typer.Option(
            help="A folder for a small map of each, NAME.png; created if necessary.",
            show_default="no pictures",
        ),
    ] = None,
) -> None:
    """List the tile sets that can be used by name."""
    entries = describe_samples() if samples else describe_tilesets()
    if thumbnails is not None:
        draw_all(entries, thumbnails, draw_sample if samples else draw_tileset)
    if as_json:
        print_json(entries)
        return
    width = max((len(entry["name"]) for entry in entries), default=0)
    for entry in entries:
        details = sample_details(entry) if samples else tileset_details(entry)
        typer.echo(f"{entry['name']:<{width}}  {details}  {entry['description']}")


def describe_tilesets() -> list[Entry]:
    """Plain data about every tile set, sorted by name; those that fail to load are left out."""
    entries = []
    for name, make in sorted(load_all("tileset").items()):
        try:
            entries.append(describe_tileset(name, make))
        except Exception as error:  # code of another package may raise anything
            message = f"the tileset {name!r} cannot be made: {describe_error(error)}; it is left out"
            warnings.warn(message, PluginWarning, stacklevel=2)
    return entries


def describe_tileset(name: str, make: Callable[[], wf.TileSet]) -> Entry:
    """Plain data about one tile set."""
    tiles = make()
    return {
        "name": name,
        "topology": tiles.topology,
        "tiles": len(tiles.tiles),
        "patterns": len(tiles.patterns),
        "description": tiles.description or (getdoc(make) or "").partition("\n")[0],
    }


def describe_samples() -> list[Entry]:
    """Plain data about every picture to learn from."""
    from wavefold.tiles.learning.samples import describe_sample, get_sample_options

    return [
        {"name": name, **get_sample_options(name), "description": describe_sample(name)}
        for name in wf.samples()
    ]


def tileset_details(entry: Entry) -> str:
    return f"{entry['tiles']:>4} tiles, {entry['patterns']:>4} patterns, {entry['topology']:<6}"


def sample_details(entry: Entry) -> str:
    return f"n={entry['n']}, symmetry={entry['symmetry']}{', ground' * entry['ground']:<8}"


# --- pictures -----------------------------------------------------------------------------------


def draw_all(entries: Sequence[Entry], folder: Path, draw: Callable[[str], Any]) -> None:
    """Write NAME.png for each, and add its path to the entry."""
    make_folder(folder, parents=True)
    for entry in entries:
        path = folder / f"{entry['name']}.png"
        image = draw(entry["name"])
        larger = -(-LEAST_WIDTH // image.width)
        with write_atomically(path) as file:
            image.resize((image.width * larger, image.height * larger), 0).save(file, "PNG", optimize=True)
        record_written(path)
        entry["thumbnail"] = str(path)


def draw_tileset(name: str) -> Any:
    """A small map of a tile set: the one of several that shows most patterns."""
    tiles = wf.TileSet.load(name)
    grid = small_grid(tiles.topology)
    maps = (wf.generate(tiles, grid, seed) for seed in SEEDS)
    return max(maps, key=lambda each: len(set(each.values.ravel().tolist()))).image()


def small_grid(topology: str) -> wf.Topology:
    """A grid large enough to show how tiles connect."""
    from wavefold.topology import get_lattice_class

    grid = get_lattice_class(topology)
    return grid(*grid.sizes.preview)


def draw_sample(name: str) -> Any:
    """A small map that looks like a sample."""
    tiles = wf.learn(name)
    grid = wf.SquareGrid(LEARNED_ACROSS, LEARNED_DOWN)
    return wf.generate(tiles, grid, SEEDS[0]).image()
