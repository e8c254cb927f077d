"""Parts found by name, ours and other people's, through standard entry points.

A package offers a part by naming it in its own `pyproject.toml`, in the group of its kind: topology, tileset,
format (by file ending, a `MapFormat`), join:

    [project.entry-points."wavefold.topology"]
    octagon = "my_package:OctagonGrid"

`find` also serves conveniences that seem to reach up (`solution.image()` lives in the solver, drawing
does not): the lower layer asks by name, so that no import points up.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from wavefold.errors import PluginError, suggest

# What wavefold itself provides: kind -> name -> "module:attribute".
BUILT_IN: dict[str, dict[str, str]] = {
    "topology": {
        "square": "wavefold.topology:SquareGrid",
        "hex": "wavefold.topology:HexGrid",
        "cube": "wavefold.topology:CubeGrid",
        "graph": "wavefold.topology:Graph",
    },
    "tileset": {
        "blocks": "wavefold.formats.toml.bundled:blocks",
        "castle": "wavefold.formats.toml.bundled:castle",
        "circuit": "wavefold.formats.toml.bundled:circuit",
        "dungeon": "wavefold.formats.toml.bundled:dungeon",
        "knots": "wavefold.formats.toml.bundled:knots",
        "meadow": "wavefold.formats.toml.bundled:meadow",
        "medieval": "wavefold.formats.toml.bundled:medieval",
        "pipes": "wavefold.formats.toml.bundled:pipes",
        "terrain": "wavefold.formats.toml.bundled:terrain",
    },
    "format": {
        ".apng": "wavefold.formats.image_files:APNG",
        ".csv": "wavefold.formats.csv:CSV",
        ".gif": "wavefold.formats.image_files:GIF",
        ".glb": "wavefold.formats.glb:GLB",
        ".json": "wavefold.formats.json:JSON",
        ".mp4": "wavefold.formats.image_files:MP4",
        ".npz": "wavefold.formats.npz:NPZ",
        ".png": "wavefold.formats.image_files:PNG",
        ".svg": "wavefold.formats.image_files:SVG",
        ".tmj": "wavefold.formats.tiled:MAP",
        ".tmx": "wavefold.formats.tiled:MAP",
        ".toml": "wavefold.formats.toml:TOML",
        ".tsj": "wavefold.formats.tiled:TILE_SET",
        ".tsx": "wavefold.formats.tiled:TILE_SET",
        ".webp": "wavefold.formats.image_files:WEBP",
        ".xml": "wavefold.formats.mxgmn:MXGMN",
    },
    "renderer": {
        "image": "wavefold.render:draw",
        "patchwork": "wavefold.patchwork.picture:draw_patchwork",
        "preview": "wavefold.render:preview",
        "tiles": "wavefold.render:draw_tiles",
    },
    "checker": {"map": "wavefold.checker:check"},
    "join": {
        "overlap": "wavefold.patchwork.joins:Overlap",
        "editable": "wavefold.patchwork.joins:Editable",
        "fixed": "wavefold.patchwork.joins:Fixed",
        "whole": "wavefold.patchwork.joins:Whole",
        "witness": "wavefold.patchwork.joins:Witness",
    },
}


def available(kind: str) -> list[str]:
    """The names `find` accepts for this kind."""
    return sorted({*BUILT_IN.get(kind, {}), *entry_points(group=f"wavefold.{kind}").names})


def find(kind: str, name: str) -> Any:
    """Load the part of this name, e.g. find("topology", "hex"). Ours come first."""
    target = BUILT_IN.get(kind, {}).get(name)
    if target is not None:
        module, attribute = target.split(":")
        return getattr(import_module(module), attribute)
    for entry in entry_points(group=f"wavefold.{kind}", name=name):
        return entry.load()
    raise PluginError(f"unknown {kind} {name!r}; {suggest(name, available(kind))}")
