"""Draws the covers of bundled tile sets that the studio's start shows: one small map each, as WebP.

`python -m draw_tilesets.covers [NAME …]` draws those whose rules have changed, or the named ones. Which rules
a cover was drawn with is in `covers.json`, and a test compares it.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from PIL import Image, ImageOps

import wavefold as wf
from wavefold.formats.toml.bundled import FOLDER as PACKAGED
from wavefold.render.draw import enlarge
from wavefold.topology import get_lattice_class
from wavefold_server.studio import PAGES

FOLDER = PAGES / "covers"
SIZE = 480, 320  # pixels
SEEDS = range(1, 13)
CELLS = {"square": (30, 20), "hex": (26, 21)}
HEX_RIM = 0.05  # share of a picture of hexagons, whose edges are not straight


def draw_cover(tiles: wf.TileSet) -> Image.Image:
    """Of several maps the one that shows most patterns, cut to the size of a cover."""
    shape = get_lattice_class(tiles.topology)
    size = CELLS.get(tiles.topology)
    grid = shape.of_size(*size) if size else shape(*shape.sizes.preview)
    maps = [wf.generate(tiles, grid, seed) for seed in SEEDS]
    image = max(maps, key=lambda each: len(np.unique(each.patterns))).image().convert("RGBA")
    image = image.crop(image.getbbox())
    image = enlarge(image, -(-SIZE[0] // image.width))
    if tiles.topology == "cube":
        return ImageOps.pad(image, SIZE, Image.Resampling.LANCZOS, (0, 0, 0, 0))
    ragged = HEX_RIM if tiles.topology == "hex" else 0.0
    return ImageOps.fit(image, SIZE, Image.Resampling.LANCZOS, ragged)


def draw_covers(names: list[str]) -> None:
    """Draw what is missing or old, and note the rules of all."""
    FOLDER.mkdir(exist_ok=True)
    listed = FOLDER / "covers.json"
    known = json.loads(listed.read_text()) if listed.exists() else {}
    for name in sorted(path.stem for path in PACKAGED.glob("*.toml")):
        tiles = wf.TileSet.load(name)
        path, digest = FOLDER / f"{name}.webp", tiles.rules.digest
        if name in names or not path.exists() or known.get(name) != digest:
            draw_cover(tiles).save(path, "WEBP", quality=72, method=6)
            print(f"{path.name}: {path.stat().st_size:,} bytes")
        known[name] = digest
    listed.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    draw_covers(sys.argv[1:])
