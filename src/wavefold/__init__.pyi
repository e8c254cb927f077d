# Written by tools/write_stub.py from the list of names in __init__.py.

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from wavefold._version import (
    CONTENT_VERSION,
    __version__,
)
from wavefold.api import (
    default_budget,
    generate,
    show,
    solve,
    tilesets,
)
from wavefold.config import (
    load_config,
)
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
from wavefold.fields import (
    Fields,
    Noise,
    preset,
)
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
from wavefold.patchwork import (
    GridReport,
    Join,
    Patchwork,
    PatchworkReport,
    Retries,
    build_order,
)
from wavefold.render import (
    Animation,
    Recording,
    animate,
    contact_sheet,
)
from wavefold.reports.auditing import (
    Audit,
    Certificate,
    audit,
)
from wavefold.reports.checker import (
    Violation,
    check,
)
from wavefold.reports.diagnostics import (
    Diagnostic,
)
from wavefold.reports.measuring import (
    Measurement,
    measure,
)
from wavefold.reports.seams import (
    measure_bias,
)
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
from wavefold.solver.calibrate import (
    calibrate,
)
from wavefold.tiles import (
    Beside,
    Calibration,
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
from wavefold.tiles.lint import (
    lint,
)
from wavefold.tiles.objects import (
    PlacedObject,
)
from wavefold.topology import (
    CubeGrid,
    Graph,
    HexGrid,
    SquareGrid,
    Topology,
)
from wavefold.worlds import (
    World,
)
from wavefold.worlds.chunk_borders import (
    boundaries,
    seams,
)
from wavefold.worlds.map_tiles import (
    draw_map_tile,
)
from wavefold.worlds.roads import (
    RoadNetwork,
)

def import_on_use(package: str, names: Mapping[str, Iterable[str]]) -> Callable[[str], Any]: ...

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
