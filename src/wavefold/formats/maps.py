"""Deprecated: what was here is in `wavefold.formats`."""

from wavefold.common.deprecation import module_aliases

__getattr__ = module_aliases(
    "wavefold.formats.maps",
    {
        "DrawnMap": "wavefold.formats:LoadedMap",
        "SharedTiles": "wavefold.formats:SharedTiles",
        "read_map": "wavefold.formats:read_map",
        "write_tiled_tiles": "wavefold.formats:write_tiled_tiles",
    },
)
