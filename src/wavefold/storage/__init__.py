"""Bytes: files written whole or not at all, archives of saved objects, SQLite files, caches, limits."""

from wavefold import import_on_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from wavefold.storage.archive import checksum
    from wavefold.storage.cache import BoundedCache
    from wavefold.storage.files import MemoryFile, read_limited
    from wavefold.storage.png import FAST_PNG, drop_opaque, encode_image, encode_png
    from wavefold.storage.sqlite import (
        DatabaseFormat,
        closing_on_error,
        connect_sqlite,
        is_damage,
        read_error_code,
        transaction,
    )

_NAMES = {  # module -> its names
    "wavefold.storage.archive": ("checksum",),
    "wavefold.storage.cache": ("BoundedCache",),
    "wavefold.storage.files": ("MemoryFile", "read_limited"),
    "wavefold.storage.png": ("FAST_PNG", "drop_opaque", "encode_image", "encode_png"),
    "wavefold.storage.sqlite": (
        "DatabaseFormat",
        "closing_on_error",
        "connect_sqlite",
        "is_damage",
        "read_error_code",
        "transaction",
    ),
}

__all__ = [
    "FAST_PNG",
    "BoundedCache",
    "DatabaseFormat",
    "MemoryFile",
    "checksum",
    "closing_on_error",
    "connect_sqlite",
    "drop_opaque",
    "encode_image",
    "encode_png",
    "is_damage",
    "read_error_code",
    "read_limited",
    "transaction",
]

if not TYPE_CHECKING:  # with it, type checkers would believe any name
    __getattr__ = import_on_use(__name__, _NAMES)
