"""What a saved world or patchwork consists of, as bytes: named sections with a version.

Here is how each section is encoded and decoded; where the bytes go (an SQLite store, a JSON file) is decided
in `world.store` and `patchwork.files`, and maps and tile sets as files of their own are in `formats`. Start
with `sections`: a new section is an entry there and a module with its `encode` and `decode`.
"""

from wavefold.codec.fields import decode_fields, encode_fields
from wavefold.codec.sections import (
    EDITS,
    FIELDS,
    FORMAT_VERSION,
    JOINS,
    REFINE,
    RESERVED,
    TILES,
    Section,
    check_sections,
)
from wavefold.codec.tiles import decode_tiles, digest_limits, encode_tiles

__all__ = [
    "EDITS",
    "FIELDS",
    "FORMAT_VERSION",
    "JOINS",
    "REFINE",
    "RESERVED",
    "TILES",
    "Section",
    "check_sections",
    "decode_fields",
    "decode_tiles",
    "digest_limits",
    "encode_fields",
    "encode_tiles",
]
