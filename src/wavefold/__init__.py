"""wavefold: Wave Function Collapse for Python, at native speed.

    import wavefold as wf

    tiles = wf.TileSet.load("pipes")
    solution = wf.generate(tiles, wf.SquareGrid(64, 48), seed=7)
    solution.image().save("map.png")

Names are loaded when first used, so that `import wavefold` and the command line's help stay quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from wavefold._version import CONTENT_VERSION, __version__
from wavefold.common.deprecation import warn_renamed
from wavefold.errors import (
    ConfigError,
    Contradiction,
    FormatError,
    InstallationError,
    NotReady,
    OutOfBudget,
    PluginError,
    PluginWarning,
    TileSetError,
    TileSetWarning,
    WavefoldError,
    WorldError,
)

if TYPE_CHECKING:
    from wavefold.api import default_budget, generate, solve, tilesets
    from wavefold.auditing import Audit, Certificate, audit
    from wavefold.checker import Violation, check
    from wavefold.chunk_borders import boundaries, seams
    from wavefold.config import load_config
    from wavefold.constraints import (
        Acyclic,
        Area,
        Border,
        Connected,
        Count,
        Downhill,
        Loop,
        MaxRun,
        Mirror,
        PairSeparation,
        Parallel,
        Reach,
        Room,
        Rotational,
        Separation,
        Slope,
    )
    from wavefold.diagnostics import Diagnostic
    from wavefold.fields import Fields, Noise, preset
    from wavefold.formats import (
        DeBroglieConfig,
        LoadedMap,
        MapFormat,
        read_debroglie,
        read_map,
        read_tiled_sample,
        write_tiled_tiles,
        write_zarr,
    )
    from wavefold.measuring import Measurement, measure
    from wavefold.notebook import show
    from wavefold.objects import PlacedObject
    from wavefold.patchwork import GridReport, Join, Patchwork, PatchworkReport, Retries, build_order
    from wavefold.render import Animation, Recording, animate, contact_sheet
    from wavefold.solver import (
        EVENT_KINDS,
        Budget,
        Constraint,
        Event,
        Explanation,
        Heuristics,
        Ladder,
        Partial,
        Problem,
        Repair,
        Shares,
        Solution,
        Solver,
        Statistics,
        WaveView,
        limit_memory,
        paint,
        regrow,
        repair,
    )
    from wavefold.tiles import (
        Beside,
        LearnedTileSet,
        MapObject,
        Pattern,
        Relation,
        Rules,
        Tile,
        TileSet,
        learn,
        learn_adjacency,
        samples,
    )
    from wavefold.tiles.lint import lint
    from wavefold.topology import CubeGrid, Graph, HexGrid, SquareGrid, Topology
    from wavefold.world import World
    from wavefold.world.bias import measure_bias
    from wavefold.world.map_tiles import draw_map_tile
    from wavefold.world.roads import RoadNetwork

_HOMES = {
    "wavefold.api": ("default_budget", "generate", "solve", "tilesets"),
    "wavefold.auditing": ("Audit", "Certificate", "audit"),
    "wavefold.diagnostics": ("Diagnostic",),
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
    "wavefold.measuring": ("Measurement", "measure"),
    "wavefold.objects": ("PlacedObject",),
    "wavefold.patchwork": ("GridReport", "Join", "Patchwork", "PatchworkReport", "Retries", "build_order"),
    "wavefold.render": ("Animation", "Recording", "animate", "contact_sheet"),
    "wavefold.checker": ("Violation", "check"),
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
    "wavefold.solver": (
        "Budget",
        "Constraint",
        "EVENT_KINDS",
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
    "wavefold.chunk_borders": ("boundaries", "seams"),
    "wavefold.notebook": ("show",),
    "wavefold.world": ("World",),
    "wavefold.world.bias": ("measure_bias",),
    "wavefold.world.map_tiles": ("draw_map_tile",),
    "wavefold.world.roads": ("RoadNetwork",),
    "wavefold.topology": ("CubeGrid", "Graph", "HexGrid", "SquareGrid", "Topology"),
}
_OLD_NAMES = {"DrawnMap": "LoadedMap"}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CONTENT_VERSION",
    "EVENT_KINDS",
    "Acyclic",
    "Animation",
    "Area",
    "Audit",
    "Beside",
    "Border",
    "Budget",
    "Calibration",
    "Certificate",
    "ConfigError",
    "Connected",
    "Constraint",
    "Contradiction",
    "Count",
    "CubeGrid",
    "DeBroglieConfig",
    "Diagnostic",
    "Downhill",
    "Event",
    "Explanation",
    "Fields",
    "FormatError",
    "Graph",
    "GridReport",
    "Heuristics",
    "HexGrid",
    "InstallationError",
    "Join",
    "Ladder",
    "LearnedTileSet",
    "LoadedMap",
    "Loop",
    "MapFormat",
    "MapObject",
    "MaxRun",
    "Measurement",
    "Mirror",
    "Noise",
    "NotReady",
    "OutOfBudget",
    "PairSeparation",
    "Parallel",
    "Partial",
    "Patchwork",
    "PatchworkReport",
    "Pattern",
    "PlacedObject",
    "PluginError",
    "PluginWarning",
    "Problem",
    "Reach",
    "Recording",
    "Relation",
    "Repair",
    "Retries",
    "RoadNetwork",
    "Room",
    "Rotational",
    "Rules",
    "Separation",
    "Shares",
    "Slope",
    "Solution",
    "Solver",
    "SquareGrid",
    "Statistics",
    "Tile",
    "TileSet",
    "TileSetError",
    "TileSetWarning",
    "Topology",
    "Violation",
    "WaveView",
    "WavefoldError",
    "World",
    "WorldError",
    "__version__",
    "animate",
    "audit",
    "boundaries",
    "build_order",
    "calibrate",
    "check",
    "contact_sheet",
    "default_budget",
    "draw_map_tile",
    "generate",
    "learn",
    "learn_adjacency",
    "limit_memory",
    "lint",
    "load_config",
    "measure",
    "measure_bias",
    "paint",
    "preset",
    "read_debroglie",
    "read_map",
    "read_tiled_sample",
    "regrow",
    "repair",
    "samples",
    "seams",
    "show",
    "solve",
    "tilesets",
    "write_tiled_tiles",
    "write_zarr",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
        return value
    if name in _OLD_NAMES:
        warn_renamed(f"wavefold.{name}", f"wavefold.{_OLD_NAMES[name]}")
        return globals().get(_OLD_NAMES[name]) or __getattr__(_OLD_NAMES[name])
    raise AttributeError(f"module 'wavefold' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
