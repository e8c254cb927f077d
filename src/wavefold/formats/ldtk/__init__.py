"""Projects of LDtk (.ldtk): one level with the map in a tile layer, and groups of tiles in IntGrid layers.

Maps are written, and read back, edited or not. Objects are written as entities. Auto-layers, other entities
and other levels are not read. `definitions` has the parts of a project. Start with `write` and `read`.
"""

from functools import partial

from wavefold.formats.ldtk.read import describe_extras, read_ldtk
from wavefold.formats.ldtk.write import check_ldtk, encode_ldtk, list_ldtk_companions
from wavefold.formats.pattern_sheet import write_map_files
from wavefold.plugins.map_formats import MapFormat

__all__ = ["LDTK", "read_ldtk"]

LDTK = MapFormat(
    description="Projects of LDtk, with the picture of their tiles.",
    endings=(".ldtk",),
    write=partial(write_map_files, encode_ldtk),
    options=("tile_size", "objects"),
    check=check_ldtk,
    companions=list_ldtk_companions,
    read=read_ldtk,
    extras=describe_extras,
)
