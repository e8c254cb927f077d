"""Files of tile sets, maps and animations, in wavefold's own formats and those of other programs.

Each format is one `MapFormat` (see `plugins.map_formats`) in its own module or package, and is found by the
ending of a path. `render` draws pictures; `worlds` and `patchwork` write their own files. Start with `csv`,
the simplest format that is both written and read, then see `loaded.read_map`.
"""

from typing import TYPE_CHECKING

from wavefold import import_on_use
from wavefold.plugins.map_formats import MapFormat

if TYPE_CHECKING:
    from wavefold.formats.archive import InputLimits, check_limit, write_archive
    from wavefold.formats.debroglie import DeBroglieConfig, read_debroglie
    from wavefold.formats.glb import make_box_model
    from wavefold.formats.header import decode_mask
    from wavefold.formats.loaded import LoadedMap, ParsedMap, PatternName, find_exact_name, read_map
    from wavefold.formats.mxgmn import read_mxgmn, subsets
    from wavefold.formats.received import (
        PICTURE_FORMATS,
        ReceivedTiles,
        is_picture,
        learn_received,
        measure_picture,
        read_received_tiles,
    )
    from wavefold.formats.sections import decode_tiles, encode_tiles, pack_tiles, unpack_tiles
    from wavefold.formats.sheet import arrange, pack, read_picture
    from wavefold.formats.tiled import (
        SharedTiles,
        read_tiled_map,
        read_tiled_never,
        read_tiled_sample,
        read_tiled_tileset,
        wangsets,
        write_tiled_tiles,
    )
    from wavefold.formats.toml import read_toml, write_toml
    from wavefold.formats.toml.tables import (
        TILES_FILE,
        Tables,
        decode_tables,
        encode_tables,
        is_json_text,
        list_tiles,
    )
    from wavefold.formats.toml.writer import encode_toml
    from wavefold.formats.zarr import write_zarr

# Loaded on first use, so that reading a tile set does not import the code that draws maps.
_NAMES = {  # module -> its names
    "wavefold.formats.debroglie": ("DeBroglieConfig", "read_debroglie"),
    "wavefold.formats.glb": ("make_box_model",),
    "wavefold.formats.header": ("decode_mask",),
    "wavefold.formats.loaded": ("LoadedMap", "ParsedMap", "PatternName", "find_exact_name", "read_map"),
    "wavefold.formats.mxgmn": ("read_mxgmn", "subsets"),
    "wavefold.formats.archive": ("InputLimits", "check_limit", "write_archive"),
    "wavefold.formats.received": (
        "PICTURE_FORMATS",
        "ReceivedTiles",
        "is_picture",
        "learn_received",
        "measure_picture",
        "read_received_tiles",
    ),
    "wavefold.formats.sheet": ("arrange", "pack", "read_picture"),
    "wavefold.formats.sections": ("decode_tiles", "encode_tiles", "pack_tiles", "unpack_tiles"),
    "wavefold.formats.tiled": (
        "SharedTiles",
        "read_tiled_map",
        "read_tiled_never",
        "read_tiled_sample",
        "read_tiled_tileset",
        "wangsets",
        "write_tiled_tiles",
    ),
    "wavefold.formats.toml": ("read_toml", "write_toml"),
    "wavefold.formats.toml.tables": (
        "TILES_FILE",
        "Tables",
        "decode_tables",
        "encode_tables",
        "is_json_text",
        "list_tiles",
    ),
    "wavefold.formats.toml.writer": ("encode_toml",),
    "wavefold.formats.zarr": ("write_zarr",),
}

__all__ = [
    "PICTURE_FORMATS",
    "TILES_FILE",
    "DeBroglieConfig",
    "InputLimits",
    "LoadedMap",
    "MapFormat",
    "ParsedMap",
    "PatternName",
    "ReceivedTiles",
    "SharedTiles",
    "Tables",
    "arrange",
    "check_limit",
    "decode_mask",
    "decode_tables",
    "decode_tiles",
    "encode_tables",
    "encode_tiles",
    "encode_toml",
    "find_exact_name",
    "is_json_text",
    "is_picture",
    "learn_received",
    "list_tiles",
    "make_box_model",
    "measure_picture",
    "pack",
    "pack_tiles",
    "read_debroglie",
    "read_map",
    "read_mxgmn",
    "read_picture",
    "read_received_tiles",
    "read_tiled_map",
    "read_tiled_never",
    "read_tiled_sample",
    "read_tiled_tileset",
    "read_toml",
    "subsets",
    "unpack_tiles",
    "wangsets",
    "write_archive",
    "write_tiled_tiles",
    "write_toml",
    "write_zarr",
]

if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = import_on_use(__name__, _NAMES)
