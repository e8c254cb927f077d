"""Bytes: files written whole or not at all, SQLite files, sections of saved objects, caches, limits."""

from wavefold._lazy import import_on_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from wavefold.storage.cache import BoundedCache
    from wavefold.storage.files import MemoryFile, read_limited
    from wavefold.storage.png import FAST_PNG, drop_opaque, encode_image, encode_png
    from wavefold.storage.sections import checksum
    from wavefold.storage.sqlite import (
        DatabaseFormat,
        closing_on_error,
        connect_sqlite,
        is_damage,
        read_error_code,
        transaction,
    )

_HOMES = {
    "cache": "BoundedCache",
    "sections": "checksum",
    "files": "MemoryFile read_limited",
    "png": "FAST_PNG drop_opaque encode_image encode_png",
    "sqlite": "DatabaseFormat closing_on_error connect_sqlite is_damage read_error_code transaction",
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
    __getattr__ = import_on_use(__name__, _HOMES)
