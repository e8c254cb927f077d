"""Parts found by name, ours and other people's, through standard entry points.

A package offers a part by naming it in its own `pyproject.toml`:

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
    "reader": {
        ".toml": "wavefold.formats:read_toml",
        ".xml": "wavefold.formats:read_mxgmn",
        ".tsx": "wavefold.formats:read_tiled_tileset",
        ".tsj": "wavefold.formats:read_tiled_tileset",
        ".tmx": "wavefold.formats:read_tiled_map",
        ".tmj": "wavefold.formats:read_tiled_map",
    },
    "sample_reader": {
        ".tmx": "wavefold.formats:read_tiled_sample",
        ".tmj": "wavefold.formats:read_tiled_sample",
    },
    "negative_reader": {
        ".tmx": "wavefold.formats:read_tiled_never",
        ".tmj": "wavefold.formats:read_tiled_never",
    },
    "tileset_writer": {".toml": "wavefold.formats:write_toml"},
    "renderer": {
        "image": "wavefold.render:draw",
        "patchwork": "wavefold.patchwork.picture:draw_patchwork",
        "preview": "wavefold.render:preview",
    },
    "checker": {"map": "wavefold.checker:check"},
    "writer": {
        ".csv": "wavefold.formats.maps:write_csv_map",
        ".glb": "wavefold.formats.maps:write_glb",
        ".json": "wavefold.formats.maps:write_json_map",
        ".npz": "wavefold.formats.maps:write_npz_map",
        ".png": "wavefold.render:save_picture",
        ".svg": "wavefold.render:save_svg",
        ".tmj": "wavefold.formats.maps:write_tiled_map",
        ".tmx": "wavefold.formats.maps:write_tiled_map",
    },
    "partial_writer": {
        ".csv": "wavefold.formats.maps:write_csv_map",
        ".json": "wavefold.formats.maps:write_json_map",
        ".npz": "wavefold.formats.maps:write_npz_map",
        ".png": "wavefold.render:save_picture",
        ".svg": "wavefold.render:save_svg",
        ".tmj": "wavefold.formats.maps:write_tiled_map",
        ".tmx": "wavefold.formats.maps:write_tiled_map",
    },
    "map_reader": {
        ".csv": "wavefold.formats.maps:read_csv_map",
        ".json": "wavefold.formats.maps:read_json_map",
        ".npz": "wavefold.formats.maps:read_npz_map",
        ".tmj": "wavefold.formats.maps:read_tiled_drawing",
        ".tmx": "wavefold.formats.maps:read_tiled_drawing",
    },
    "join": {
        "editable": "wavefold.patchwork.joins:Editable",
        "fixed": "wavefold.patchwork.joins:Fixed",
        "overlap": "wavefold.patchwork.joins:Overlap",
        "whole": "wavefold.patchwork.joins:Whole",
        "witness": "wavefold.patchwork.joins:Witness",
    },
    "animation_writer": {
        ".apng": "wavefold.render:write_apng",
        ".gif": "wavefold.render:write_gif",
        ".mp4": "wavefold.render:write_mp4",
        ".png": "wavefold.render:write_apng",
        ".webp": "wavefold.render:write_webp",
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
