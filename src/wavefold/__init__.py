"""wavefold: Wave Function Collapse for Python, at native speed.

    import wavefold as wf

    tiles = wf.TileSet.load("pipes")
    solution = wf.generate(tiles, wf.SquareGrid(64, 48), seed=7)
    solution.image().save("map.png")

Names are loaded on first use, so that `import wavefold` and the help of the command line are fast. Editors
and type checkers read `__init__.pyi`, which `tools/write_stub.py` generates from the list below.
"""

from __future__ import annotations

import sys
from importlib import import_module

from wavefold._version import CONTENT_VERSION, __version__

TYPE_CHECKING = False  # `typing` takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

_NAMES = {  # module -> its public names
    "wavefold.api": ("default_budget", "generate", "show", "solve", "tilesets"),
    "wavefold.config": ("load_config",),
    "wavefold.constraints": (
        "Acyclic",
        "Area",
        "Border",
        "Connected",
        "Count",
        "Downhill",
        "Loop",
        "MaxRun",
        "Mirror",
        "PairSeparation",
        "Parallel",
        "Reach",
        "Room",
        "Rotational",
        "Separation",
        "Slope",
    ),
    "wavefold.errors": (
        "ConfigError",
        "Contradiction",
        "FormatError",
        "InstallationError",
        "NotReady",
        "OutOfBudget",
        "PluginError",
        "PluginWarning",
        "TileSetError",
        "TileSetWarning",
        "WavefoldError",
        "WorldError",
    ),
    "wavefold.fields": ("Fields", "Noise", "preset"),
    "wavefold.formats": (
        "DeBroglieConfig",
        "LoadedMap",
        "MapFormat",
        "read_debroglie",
        "read_map",
        "read_tiled_sample",
        "write_tiled_tiles",
        "write_zarr",
    ),
    "wavefold.patchwork": ("GridReport", "Join", "Patchwork", "PatchworkReport", "Retries", "build_order"),
    "wavefold.render": ("Animation", "Recording", "animate", "contact_sheet"),
    "wavefold.reports.auditing": ("Audit", "Certificate", "audit"),
    "wavefold.reports.checker": ("Violation", "check"),
    "wavefold.reports.diagnostics": ("Diagnostic",),
    "wavefold.reports.measuring": ("Measurement", "measure"),
    "wavefold.reports.seams": ("measure_bias",),
    "wavefold.solver": (
        "EVENT_KINDS",
        "Budget",
        "Constraint",
        "Event",
        "Explanation",
        "Heuristics",
        "Ladder",
        "Partial",
        "Problem",
        "Repair",
        "Shares",
        "Solution",
        "Solver",
        "Statistics",
        "WaveView",
        "limit_memory",
        "paint",
        "regrow",
        "repair",
    ),
    "wavefold.solver.calibrate": ("calibrate",),
    "wavefold.tiles": (
        "Beside",
        "Calibration",
        "LearnedTileSet",
        "MapObject",
        "Pattern",
        "Relation",
        "Rules",
        "Tile",
        "TileSet",
        "learn",
        "learn_adjacency",
        "samples",
    ),
    "wavefold.tiles.lint": ("lint",),
    "wavefold.tiles.objects": ("PlacedObject",),
    "wavefold.topology": ("CubeGrid", "Graph", "HexGrid", "SquareGrid", "Topology"),
    "wavefold.worlds": ("World",),
    "wavefold.worlds.chunk_borders": ("boundaries", "seams"),
    "wavefold.worlds.map_tiles": ("draw_map_tile",),
    "wavefold.worlds.roads": ("RoadNetwork",),
}


def import_on_use(package: str, names: Mapping[str, Iterable[str]]) -> Callable[[str], Any]:
    """Create the `__getattr__` of a package, which imports a module when one of its names is first used.

    names : {module: its names}
    """
    module_of = {name: module for module, each in names.items() for name in each}

    def load(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(module_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return load


__getattr__ = import_on_use(__name__, _NAMES)
# Strings, though ruff cannot tell.
__all__ = ["CONTENT_VERSION", "__version__", *(name for names in _NAMES.values() for name in names)]  # noqa: PLE0604


def __dir__() -> list[str]:
    return sorted(__all__)
