"""Finds parts by name, built-in or from other packages, through standard entry points.

A package registers a part in its own `pyproject.toml`, in the group of its kind:

    [project.entry-points."wavefold.topology"]
    triangle = "my_package:TriangleGrid"

`kinds` defines the kinds. Built-in parts are listed in `BUILT_IN` in the form of entry points, so that a new
part works in a checkout without installation. Built-in parts have precedence over parts of other packages,
which are sorted by package name.

Some parts cannot be used: the import fails, the object does not match the kind, or the package requires
another version of wavefold. Looking up such a part by name raises `PluginError`. `load_all` leaves it out
with a `PluginWarning`.
"""

from __future__ import annotations

import warnings
from importlib.metadata import EntryPoint, entry_points
from traceback import walk_tb
from typing import Any, NamedTuple

from wavefold.errors import PluginError, PluginWarning, suggest
from wavefold.plugins.kinds import BUILT_IN_ORIGIN, KINDS, UNUSABLE_PHRASE, Plugin, find_entry_group

# Built-in parts: kind -> name -> "module:attribute".
BUILT_IN: dict[str, dict[str, str]] = {
    "topology": {
        "square": "wavefold.topology:SquareGrid",
        "hex": "wavefold.topology:HexGrid",
        "cube": "wavefold.topology:CubeGrid",
        "graph": "wavefold.topology:Graph",
    },
    "order": {
        "entropy": "wavefold.solver.heuristics:ENTROPY",
        "domain": "wavefold.solver.heuristics:DOMAIN",
        "both": "wavefold.solver.heuristics:BOTH",
        "score": "wavefold.solver.heuristics:SCORE",
        "scanline": "wavefold.solver.heuristics:SCANLINE",
        "spiral": "wavefold.solver.heuristics:SPIRAL",
        "random": "wavefold.solver.heuristics:RANDOM",
    },
    "choice": {
        "weighted": "wavefold.solver.heuristics:WEIGHTED",
        "heaviest": "wavefold.solver.heuristics:HEAVIEST",
        "even": "wavefold.solver.heuristics:EVEN",
        "matching": "wavefold.solver.heuristics:MATCHING",
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
    "constraint": {
        "acyclic": "wavefold.constraints:Acyclic",
        "area": "wavefold.constraints:Area",
        "border": "wavefold.constraints:Border",
        "connected": "wavefold.constraints:Connected",
        "count": "wavefold.constraints:Count",
        "downhill": "wavefold.constraints:Downhill",
        "loop": "wavefold.constraints:Loop",
        "max_run": "wavefold.constraints:MaxRun",
        "mirror": "wavefold.constraints:Mirror",
        "pair_separation": "wavefold.constraints:PairSeparation",
        "parallel": "wavefold.constraints:Parallel",
        "reach": "wavefold.constraints:Reach",
        "room": "wavefold.constraints:Room",
        "rotational": "wavefold.constraints:Rotational",
        "separation": "wavefold.constraints:Separation",
        "slope": "wavefold.constraints:Slope",
    },
    "map_format": {
        ".apng": "wavefold.formats.image_files:APNG",
        ".csv": "wavefold.formats.csv:CSV",
        ".gif": "wavefold.formats.image_files:GIF",
        ".glb": "wavefold.formats.glb:GLB",
        ".json": "wavefold.formats.json:JSON",
        ".ldtk": "wavefold.formats.ldtk:LDTK",
        ".mp4": "wavefold.formats.image_files:MP4",
        ".npz": "wavefold.formats.npz:NPZ",
        ".png": "wavefold.formats.image_files:PNG",
        ".svg": "wavefold.formats.image_files:SVG",
        ".tmj": "wavefold.formats.tiled:MAP",
        ".tmx": "wavefold.formats.tiled:MAP",
        ".toml": "wavefold.formats.toml:TOML",
        ".tscn": "wavefold.formats.godot:GODOT",
        ".tsj": "wavefold.formats.tiled:TILE_SET",
        ".tsx": "wavefold.formats.tiled:TILE_SET",
        ".webp": "wavefold.formats.image_files:WEBP",
        ".xml": "wavefold.formats.mxgmn:MXGMN",
        ".zip": "wavefold.formats.received:ARCHIVE",
    },
    "renderer": {
        "tiles": "wavefold.render:draw",
        "entropy": "wavefold.render:draw_entropy",
        "counts": "wavefold.render:draw_counts",
    },
    "diagnostic": {
        "jsonl": "wavefold.reports.diagnostics:JsonLines",
        "otel": "wavefold.reports.diagnostics:Spans",
    },
    "join": {
        "overlap": "wavefold.patchwork.joins:Overlap",
        "editable": "wavefold.patchwork.joins:Editable",
        "fixed": "wavefold.patchwork.joins:Fixed",
        "whole": "wavefold.patchwork.joins:Whole",
        "witness": "wavefold.patchwork.joins:Witness",
    },
}

# Descriptions of the built-in `wavefold.Heuristics`, which have no docstrings of their own.
DESCRIPTIONS = {
    "order": {
        "entropy": "Cells of least entropy first.",
        "domain": "Cells with fewest patterns left first.",
        "both": "Cells with both least entropy and fewest patterns left first.",
        "score": "Cells with the least sum of patterns left and entropy first.",
        "scanline": "Row by row, from a corner.",
        "spiral": "From the centre outward.",
        "random": "In a random sequence, from the seed.",
    },
    "choice": {
        "weighted": "A random tile, by weight.",
        "heaviest": "The tile of greatest weight.",
        "even": "A random tile, all equally likely.",
        "matching": "A random tile, by weight, more often if a neighbour is the same.",
    },
}


def find_plugins(kind: str) -> list[Plugin]:
    """All parts of a kind, including unusable parts and parts whose name is already taken."""
    ours = [find_built_in(kind, name) for name in BUILT_IN.get(kind, {})]
    others = [Plugin(kind, entry.name, entry) for entry in entry_points(group=find_entry_group(kind))]
    return ours + sorted(others, key=lambda plugin: (plugin.origin, plugin.name))


def find_built_in(kind: str, name: str) -> Plugin:
    """A part that comes with wavefold."""
    entry = EntryPoint(name, BUILT_IN[kind][name], f"wavefold.{kind}")
    return Plugin(kind, name, entry, True, DESCRIPTIONS.get(kind, {}).get(name, ""))


def index_plugins(kind: str) -> dict[str, Plugin]:
    """{name: part}, without parts that require another version of wavefold."""
    found: dict[str, Plugin] = {}
    for plugin in find_plugins(kind):
        if not plugin.unmet_requirement:
            found.setdefault(plugin.name, plugin)
    return found


def available(kind: str) -> list[str]:
    """The names that `find` accepts for this kind, sorted. Imports nothing."""
    return sorted(index_plugins(kind))


def is_offered(kind: str, name: str) -> bool:
    """Whether a part of this name is registered. It may be unusable: `find` then raises the reason."""
    return name in BUILT_IN.get(kind, {}) or bool(entry_points(group=find_entry_group(kind), name=name))


def find(kind: str, name: str) -> Any:
    """Load the part of this name, for example find("topology", "hex"). Built-in parts have precedence."""
    return find_plugin(kind, name).load()


def find_plugin(kind: str, name: str) -> Plugin:
    """Find the part of this name without loading it. Built-in parts have precedence."""
    if name in BUILT_IN.get(kind, {}):
        return find_built_in(kind, name)
    plugins = find_plugins(kind)
    for plugin in sorted(plugins, key=lambda plugin: bool(plugin.unmet_requirement)):
        if plugin.name == name:
            return plugin
    raise PluginError(f"unknown {kind} {name!r}; {suggest(name, sorted({each.name for each in plugins}))}")


def load_all(kind: str) -> dict[str, Any]:
    """{name: part} for all usable parts of a kind, built-in first; warns about the others."""
    parts = {}
    for plugin in find_plugins(kind):
        if plugin.name not in parts:
            try:
                parts[plugin.name] = plugin.load()
            except PluginError as error:
                warnings.warn(f"{error}; it is left out", PluginWarning, stacklevel=2)
    return parts


class PluginReport(NamedTuple):
    """A part and its description; `problem` is why it cannot be used, or ""."""

    kind: str
    name: str
    description: str
    origin: str
    problem: str


def examine(kind: str) -> list[PluginReport]:
    """Load and report all parts of a kind: built-in first, then by package and name."""
    found, owners = [], {name: plugin.origin for name, plugin in index_plugins(kind).items()}
    for plugin in find_plugins(kind):
        description = problem = ""
        try:
            description = plugin.describe()
        except PluginError as error:
            problem = str(error).partition(UNUSABLE_PHRASE)[2]
        owner = owners.get(plugin.name)
        if not problem and owner != plugin.origin:
            of_owner = "the built-in one" if owner == BUILT_IN_ORIGIN else f"the one of {owner}"
            problem = f"its name belongs to {of_owner}"
        found.append(PluginReport(kind, plugin.name, description, plugin.origin, problem))
    return found


def load_extension(group: str, name: str, extra: str) -> Any:
    """Load an entry point of an optional distribution; the error names the extra to install."""
    for entry in entry_points(group=group, name=name):
        return Plugin(group, name, entry).import_part()
    raise PluginError(f"a required package is not installed: pip install 'wavefold[{extra}]'")


def find_culprit(error: BaseException) -> str:
    """The third-party package whose code raised this error, directly or through a call, or ""."""
    plugins = [plugin for kind in KINDS for plugin in find_plugins(kind) if not plugin.is_ours]
    owners = {plugin.module.partition(".")[0]: plugin.origin for plugin in plugins}
    for frame, _ in walk_tb(error.__traceback__):
        owner = owners.get(frame.f_globals.get("__name__", "").partition(".")[0])
        if owner is not None:
            return owner
    return ""
