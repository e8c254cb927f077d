"""`wavefold tilesets`: what can be used by name, and what it looks like."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from wavefold.cli.program import say_json
from wavefold.errors import ConfigError
from wavefold.plugins import available, find
from wavefold.tiles.learning.bundled_samples import sample_description, sample_options, samples

if TYPE_CHECKING:
    from wavefold.topology import Topology


Entry = dict[str, Any]

SEEDS = range(7, 19)
LEARNED_ACROSS, LEARNED_DOWN = 48, 32  # cells, each a pixel of the sample
LEAST_WIDTH = 288  # pixels: smaller maps are shown with larger pixels


def list_tilesets(as_json: bool, thumbnails: Path | None = None) -> None:
    """Every tile set: one line each, or JSON; and a picture of each, if there is a folder for them."""
    entries = [describe(name) for name in available("tileset")]
    if thumbnails is not None:
        draw_all(entries, thumbnails, draw_tileset)
    lines = [
        f"{each['tiles']:>4} tiles, {each['patterns']:>4} patterns, {each['topology']:<6}" for each in entries
    ]
    tell(entries, lines, as_json)


def list_samples(as_json: bool, thumbnails: Path | None = None) -> None:
    """Every picture to learn from, in the same way; the pictures are of maps learned from it."""
    entries: list[Entry] = [
        {"name": name, **sample_options(name), "description": sample_description(name)} for name in samples()
    ]
    if thumbnails is not None:
        draw_all(entries, thumbnails, draw_sample)
    lines = [
        f"n={each['n']}, symmetry={each['symmetry']}{', ground' * each['ground']:<8}" for each in entries
    ]
    tell(entries, lines, as_json)


def describe(name: str) -> Entry:
    """Plain data about one tile set."""
    make = find("tileset", name)
    tiles = make()
    return {
        "name": name,
        "topology": tiles.topology,
        "tiles": len(tiles.tiles),
        "patterns": len(tiles.patterns),
        "description": tiles.description or (getdoc(make) or "").partition("\n")[0],
    }


def tell(entries: Sequence[Entry], lines: Sequence[str], as_json: bool) -> None:
    """Names, what belongs to them, and what they are."""
    if as_json:
        say_json(entries)
        return
    width = max((len(entry["name"]) for entry in entries), default=0)
    for entry, line in zip(entries, lines, strict=True):
        typer.echo(f"{entry['name']:<{width}}  {line}  {entry['description']}")


# --- pictures -----------------------------------------------------------------------------------


def draw_all(entries: Sequence[Entry], folder: Path, draw: Any) -> None:
    """NAME.png for each; the entry says where it is."""
    from wavefold.common.files import write_atomically

    make_folder(folder)
    for entry in entries:
        place = folder / f"{entry['name']}.png"
        image = draw(entry["name"])
        larger = -(-LEAST_WIDTH // image.width)
        with write_atomically(place) as file:
            image.resize((image.width * larger, image.height * larger), 0).save(file, "PNG", optimize=True)
        entry["thumbnail"] = str(place)


def make_folder(folder: Path) -> None:
    """The folder for pictures, if it is not there yet."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ConfigError(
            f"cannot make the folder {str(folder)!r}: {reason}; choose another place"
        ) from error


def draw_tileset(name: str) -> Any:
    """A small map of a tile set: of several, the one that shows most of it."""
    import wavefold as wf

    tiles = wf.TileSet.load(name)
    grid = small_grid(tiles.topology)
    maps = (wf.generate(tiles, grid, seed) for seed in SEEDS)
    return max(maps, key=lambda each: len(set(each.values.ravel().tolist()))).image()


def small_grid(topology: str) -> Topology:
    """Large enough to see what the tiles do."""
    import wavefold as wf

    if topology == "hex":
        return wf.HexGrid(radius=3)
    return wf.SquareGrid(12, 8) if topology == "square" else wf.CubeGrid(6, 6, 6)


def draw_sample(name: str) -> Any:
    """A small map that looks like a sample."""
    import wavefold as wf

    tiles = wf.learn(name)
    grid = wf.SquareGrid(LEARNED_ACROSS, LEARNED_DOWN)
    masks = None if tiles.ground_pattern is None else tiles.ground_masks(grid)
    return wf.generate(tiles, grid, SEEDS[0], masks=masks).image()
