"""wavefold: Wave Function Collapse for Python, at native speed.

    import wavefold as wf

    tiles = wf.TileSet.load("pipes")
    solution = wf.generate(tiles, wf.SquareGrid(64, 48), seed=7)
    solution.image().save("map.png")

Names are loaded when first used, so that `import wavefold` and the command line's help stay quick. Editors
and type checkers read `__init__.pyi`, which `tools/write_stub.py` writes from the list below.
"""

from __future__ import annotations

from importlib import import_module

from wavefold._version import CONTENT_VERSION, __version__

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
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}

__all__ = ["CONTENT_VERSION", "__version__", *_MODULE_OF]  # noqa: PLE0604 (strings, though ruff cannot tell)


def __getattr__(name: str) -> object:
    if name in _MODULE_OF:
        value = globals()[name] = getattr(import_module(_MODULE_OF[name]), name)
        return value
    raise AttributeError(f"module 'wavefold' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
