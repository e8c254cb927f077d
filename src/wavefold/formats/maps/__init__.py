"""Maps as files, out and in: JSON, NumPy arrays, tables, Tiled; out only: GLB."""

from wavefold.formats.maps.beforehand import check_writing, companions
from wavefold.formats.maps.csv_map import read_csv_map, write_csv_map
from wavefold.formats.maps.drawn import DrawnMap, MapOnFile, Word
from wavefold.formats.maps.glb import write_glb
from wavefold.formats.maps.json_map import read_json_map, write_json_map
from wavefold.formats.maps.npz_map import read_npz_map, write_npz_map
from wavefold.formats.maps.reading import read_map
from wavefold.formats.maps.tiled_more import more_than_a_map
from wavefold.formats.maps.tiled_reader import read_tiled_drawing
from wavefold.formats.maps.tiled_writer import SharedTiles, write_tiled_map, write_tiled_tiles

__all__ = [
    "DrawnMap",
    "MapOnFile",
    "SharedTiles",
    "Word",
    "check_writing",
    "companions",
    "more_than_a_map",
    "read_csv_map",
    "read_json_map",
    "read_map",
    "read_npz_map",
    "read_tiled_drawing",
    "write_csv_map",
    "write_glb",
    "write_json_map",
    "write_npz_map",
    "write_tiled_map",
    "write_tiled_tiles",
]
