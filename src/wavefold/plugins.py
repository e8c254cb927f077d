"""Parts found by name, ours and other packages', through standard entry points.

A package offers a part by naming it in its own `pyproject.toml`, in the group of its kind:

    [project.entry-points."wavefold.topology"]
    triangle = "my_package:TriangleGrid"

`KINDS` says what a part of each kind is. Ours are listed in `BUILT_IN`, in the same form: they are entry
points, too, but need no installation, so that a new one works at once in a checkout. Ours come first, then
those of other packages, by the name of the package.

A part that cannot be used (its import fails, it is not what its kind expects, or its package requires another
version of wavefold) raises `PluginError` where it is named. Where all parts of a kind are wanted, `load_all`
leaves it out with a `PluginWarning`.

`find_above` serves conveniences that seem to reach up (`patchwork.image()` is in a lower layer than what it
draws with): the lower layer asks by name, so that no import points up. These parts cannot be replaced.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import Distribution, EntryPoint, entry_points
from traceback import walk_tb
from typing import Any, NamedTuple

from wavefold._version import __version__
from wavefold.errors import PluginError, PluginWarning, suggest

OURS = "built-in"
DIAGNOSTIC = "wavefold.diagnostics:Diagnostic"
UNUSABLE = "cannot be used: "  # in messages, before the reason

# What wavefold itself provides: kind -> name -> "module:attribute".
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
        "count": "wavefold.constraints:Count",
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
    },
    "renderer": {
        "tiles": "wavefold.render:draw",
        "entropy": "wavefold.render:draw_entropy",
        "counts": "wavefold.render:draw_counts",
    },
    "diagnostic": {
        "jsonl": "wavefold.diagnostics:JsonLines",
        "otel": "wavefold.diagnostics:Spans",
    },
    "join": {
        "overlap": "wavefold.patchwork.joins:Overlap",
        "editable": "wavefold.patchwork.joins:Editable",
        "fixed": "wavefold.patchwork.joins:Fixed",
        "whole": "wavefold.patchwork.joins:Whole",
        "witness": "wavefold.patchwork.joins:Witness",
    },
}

# Of ours that have no docstring: settings of `wavefold.Heuristics`.
DESCRIPTIONS = {
    "order": {
        "entropy": "Cells of least entropy first.",
        "domain": "Cells with fewest patterns left first.",
        "both": "Cells that are least by entropy and by patterns left first.",
        "score": "Least sum of patterns left and entropy first.",
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

# What lower layers take from higher ones.
ABOVE = {
    "check a map": "wavefold.checker:check",
    "draw a patchwork": "wavefold.patchwork.picture:draw_patchwork",
    "draw a preview": "wavefold.render:preview",
    "draw tiles": "wavefold.render:draw_tiles",
}


class Kind(NamedTuple):
    """What the parts of one kind are.

    expected : in words
    accepts : whether this is one
    """

    expected: str
    accepts: Callable[[Any], bool]


def is_subclass(target: str) -> Callable[[Any], bool]:
    """A test for classes derived from this one, given as "module:attribute"."""
    return lambda part: isinstance(part, type) and issubclass(part, load_target(target))


def is_instance(target: str) -> Callable[[Any], bool]:
    """A test for instances of this class."""
    return lambda part: isinstance(part, load_target(target))


def is_function_or_heuristics(part: Any) -> bool:
    is_function = callable(part) and not isinstance(part, type)
    return is_function or isinstance(part, load_target("wavefold.solver.heuristics:Heuristics"))


KINDS = {
    "topology": Kind("a class derived from wavefold.Topology", is_subclass("wavefold.topology:Topology")),
    "tileset": Kind("a function that returns a wavefold.TileSet", callable),
    "order": Kind("a function or a wavefold.Heuristics", is_function_or_heuristics),
    "choice": Kind("a function or a wavefold.Heuristics", is_function_or_heuristics),
    "constraint": Kind(
        "a class with a method prune", lambda part: isinstance(part, type) and hasattr(part, "prune")
    ),
    "join": Kind("a class derived from wavefold.Join", is_subclass("wavefold.patchwork:Join")),
    "map_format": Kind("a wavefold.MapFormat", is_instance("wavefold.map_format:MapFormat")),
    "renderer": Kind("a function that returns a picture of a map", callable),
    "diagnostic": Kind("a class derived from wavefold.Diagnostic", is_subclass(DIAGNOSTIC)),
}


@dataclass(frozen=True, slots=True)
class Plugin:
    """A part that can be asked for by name. Nothing is imported before `load`."""

    kind: str
    name: str
    entry: EntryPoint
    is_ours: bool = False

    @property
    def origin(self) -> str:
        """The package and version it comes from, or "built-in"."""
        if self.is_ours:
            return OURS
        dist = self.entry.dist
        return self.entry.module if dist is None else f"{dist.name} {dist.version}"

    @property
    def unmet_requirement(self) -> str:
        """Why it was made for another version of wavefold, or ""."""
        return "" if self.is_ours or self.entry.dist is None else find_unmet_requirement(self.entry.dist)

    def load(self) -> Any:
        """The part itself; raises `PluginError` if it cannot be used."""
        if reason := self.unmet_requirement:
            raise self.refuse(reason)
        try:
            part = self.entry.load()
        except (Exception, SystemExit) as error:  # whatever the code of another package may raise
            raise self.refuse(f"loading it raised {describe_error(error)}") from error
        if not KINDS[self.kind].accepts(part):
            raise self.refuse(f"{self.entry.value} is not {KINDS[self.kind].expected}")
        return part

    def describe(self) -> str:
        """What it is, in one line: its `description`, or else the first line of its docstring."""
        part = self.load()
        text = DESCRIPTIONS.get(self.kind, {}).get(self.name) if self.is_ours else None
        text = text or getattr(part, "description", None)
        if not isinstance(text, str):
            text = part.__doc__ if part.__doc__ != type(part).__doc__ else None  # not that of its class
        return (text or "").strip().partition("\n")[0]

    def refuse(self, reason: str) -> PluginError:
        """The error of a part that cannot be used."""
        return PluginError(f"the {self.kind} {self.name!r} of {self.origin} {UNUSABLE}{reason}")


def find_plugins(kind: str) -> list[Plugin]:
    """All parts of a kind, also those that cannot be used or whose name another one took before."""
    ours = [Plugin(kind, name, to_entry(kind, name), True) for name in BUILT_IN.get(kind, {})]
    others = [Plugin(kind, entry.name, entry) for entry in entry_points(group=f"wavefold.{kind}")]
    return ours + sorted(others, key=lambda plugin: (plugin.origin, plugin.name))


def index_plugins(kind: str) -> dict[str, Plugin]:
    """{name: the part that has it}, without those made for another version of wavefold."""
    found: dict[str, Plugin] = {}
    for plugin in find_plugins(kind):
        if not plugin.unmet_requirement:
            found.setdefault(plugin.name, plugin)
    return found


def available(kind: str) -> list[str]:
    """The names `find` accepts for this kind, in alphabetical order; nothing is imported."""
    return sorted(index_plugins(kind))


def is_offered(kind: str, name: str) -> bool:
    """Whether some package offers a part of this name, usable or not: if not, `find` says why."""
    return name in BUILT_IN.get(kind, {}) or bool(entry_points(group=f"wavefold.{kind}", name=name))


def find(kind: str, name: str) -> Any:
    """Load the part of this name, e.g. find("topology", "hex"). Ours come first."""
    if name in BUILT_IN.get(kind, {}):
        return Plugin(kind, name, to_entry(kind, name), True).load()
    plugins = find_plugins(kind)
    for plugin in sorted(plugins, key=lambda plugin: bool(plugin.unmet_requirement)):
        if plugin.name == name:
            return plugin.load()
    raise PluginError(f"unknown {kind} {name!r}; {suggest(name, sorted({each.name for each in plugins}))}")


def load_all(kind: str) -> dict[str, Any]:
    """{name: part} for all parts of a kind that can be used, ours first; a warning for each other."""
    parts = {}
    for plugin in find_plugins(kind):
        if plugin.name not in parts:
            try:
                parts[plugin.name] = plugin.load()
            except PluginError as error:
                warnings.warn(f"{error}; it is left out", PluginWarning, stacklevel=2)
    return parts


class PluginReport(NamedTuple):
    """What there is to say about a part; `problem` is why it cannot be used, or ""."""

    kind: str
    name: str
    description: str
    origin: str
    problem: str


def examine(kind: str) -> list[PluginReport]:
    """All parts of a kind, loaded to see whether they can be used: ours first, then by package and name."""
    found, owners = [], {name: plugin.origin for name, plugin in index_plugins(kind).items()}
    for plugin in find_plugins(kind):
        description = problem = ""
        try:
            description = plugin.describe()
        except PluginError as error:
            problem = str(error).partition(UNUSABLE)[2]
        if not problem and owners[plugin.name] != plugin.origin:
            problem = f"its name belongs to the one of {owners[plugin.name]}"
        found.append(PluginReport(kind, plugin.name, description, plugin.origin, problem))
    return found


def find_above(what: str) -> Any:
    """A function of a higher layer, by what it does."""
    return load_target(ABOVE[what])


def find_culprit(error: BaseException) -> str:
    """The package of somebody else whose code raised this error, or called what did; else ""."""
    plugins = [plugin for kind in KINDS for plugin in find_plugins(kind) if not plugin.is_ours]
    owners = {plugin.entry.module.partition(".")[0]: plugin.origin for plugin in plugins}
    for frame, _ in walk_tb(error.__traceback__):
        owner = owners.get(frame.f_globals.get("__name__", "").partition(".")[0])
        if owner is not None:
            return owner
    return ""


def to_entry(kind: str, name: str) -> EntryPoint:
    """A part of ours as an entry point."""
    return EntryPoint(name, BUILT_IN[kind][name], f"wavefold.{kind}")


def load_target(target: str) -> Any:
    """What "module:attribute" stands for."""
    return EntryPoint("", target, "").load()


def find_unmet_requirement(dist: Distribution) -> str:
    """Which version of wavefold a package requires in its metadata, if this is another; or ""."""
    for text in dist.requires or ():
        if text.lower().startswith("wavefold"):
            from packaging.requirements import Requirement
            from packaging.version import Version

            needed = Requirement(text)
            is_about_us = needed.name.lower() == "wavefold"
            is_optional = needed.marker is not None and not needed.marker.evaluate({"extra": ""})
            # A development version of 0.2 has what 0.2 will have.
            ours = Version(__version__).base_version
            if is_about_us and not is_optional and not needed.specifier.contains(ours, prereleases=True):
                return f"it requires wavefold {needed.specifier}, and this is {__version__}"
    return ""


def describe_error(error: BaseException) -> str:
    """The type and the first line of an error's message."""
    return f"{type(error).__name__}: {error}".partition("\n")[0].rstrip(": ")
