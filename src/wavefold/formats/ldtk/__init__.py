"""Projects of LDtk (.ldtk): a level with the map on a layer of tiles, and groups of tiles on IntGrid layers.

Maps are written, and read again, edited or not; objects are entities; auto-layers, other
entities and further levels of LDtk are not read.
`definitions` has the parts of a project as LDtk lists them; start with `write` and `read`.
"""

from wavefold.formats.ldtk.read import describe_extras, read_ldtk
from wavefold.formats.ldtk.write import check_ldtk, ldtk_companions, write_ldtk
from wavefold.plugins.map_formats import MapFormat

__all__ = ["LDTK", "read_ldtk", "write_ldtk"]

LDTK = MapFormat(
    description="Projects of LDtk, with the picture of their tiles.",
    endings=(".ldtk",),
    write=write_ldtk,
    options=("tile_size", "objects"),
    check=check_ldtk,
    companions=ldtk_companions,
    read=read_ldtk,
    extras=describe_extras,
)
