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

__all__ = ["available", "find"]

# What wavefold itself provides: kind -> name -> "module:attribute".
BUILT_IN: dict[str, dict[str, str]] = {
    "topology": {
        "square": "wavefold.topology:SquareGrid",
        "hex": "wavefold.topology:HexGrid",
        "cube": "wavefold.topology:CubeGrid",
        "graph": "wavefold.topology:Graph",
    },
    "tileset": {
        "meadow": "wavefold.tiles.bundled:meadow",
        "pipes": "wavefold.tiles.bundled:pipes",
    },
    "reader": {".xml": "wavefold.formats:read_mxgmn"},
    "renderer": {"image": "wavefold.render:draw"},
    "writer": {".png": "wavefold.render:save_picture"},
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
