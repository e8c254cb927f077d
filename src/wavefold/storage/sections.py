"""Saved data: sections of saved objects, checksums, and JSON and arrays from untrusted files.

An entry is a row of the table `parts` in a world's store, or a key of a patchwork's JSON document. A reader
lists the sections it can read. A file with any other section is refused with its name, because without that
section it would be a different world.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from io import BytesIO
from math import prod
from typing import Any, NoReturn

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from wavefold._version import __version__
from wavefold.errors import WavefoldError

CHECKSUM_BYTES = 16


def checksum(*values: bytes | str | float | None) -> bytes:
    """The checksum of values and their types; it also changes if values are swapped or split differently."""
    digest = blake2b(digest_size=CHECKSUM_BYTES)
    for value in values:
        data = value if isinstance(value, bytes) else repr(value).encode(errors="surrogatepass")
        digest.update(b"%s %d " % (type(value).__name__.encode(), len(data)))
        digest.update(data)
    return digest.digest()


MOST_LISTS = 1 << 22  # and objects: each takes much more memory than its two brackets in the file
MOST_NESTED = 256  # lists and objects within each other: Python's own limit depends on the caller
HEADER_BYTES = 10_000
QUOTE, OPENING, CLOSING = b'"', b"[{", b"]}"
OTHERS = bytes(set(range(256)) - set(QUOTE + OPENING + CLOSING))


def parse_limited_json(data: bytes, most_lists: int = MOST_LISTS, infinite: bool = False) -> Any:
    """The value of a JSON document in UTF-8. Raises ValueError, also if it is too large or too deep.

    infinite : whether NaN and Infinity are read, which JSON does not have but Python writes
    """
    lists, depth = measure_json(data)
    if lists > most_lists:
        raise ValueError(f"it has {lists:,} objects and lists; at most {most_lists:,} can be read")
    if depth > MOST_NESTED:
        raise ValueError(f"it is nested too deeply: {depth:,} levels; at most {MOST_NESTED} can be read")
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=None if infinite else refuse_constant)
    except RecursionError:  # the caller is already deep in the stack
        raise ValueError(f"it is nested too deeply: {depth:,} levels") from None


def measure_json(data: bytes) -> tuple[int, int]:
    """How many lists and objects a document has, and how deep they are nested; strings do not count."""
    unescaped = data.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in data else data
    signs = np.frombuffer(unescaped.translate(None, OTHERS), np.uint8)
    signs = signs[np.cumsum(signs == ord(QUOTE), dtype=np.int32) % 2 == 0]
    opens, closes = np.isin(signs, list(OPENING)), np.isin(signs, list(CLOSING))
    depths = np.cumsum(opens.astype(np.int8) - closes.astype(np.int8), dtype=np.int32)
    return int(np.count_nonzero(opens)), int(depths.max(initial=0))


def refuse_constant(constant: str) -> NoReturn:
    """Raise for NaN and Infinity."""
    raise ValueError(f"{constant} is not a number")


def parse_array(content: bytes) -> NDArray[Any] | None:
    """The array in an .npy file, read-only; None if it has not as many bytes as its header says.

    Raises ValueError if it is not an .npy file.
    """
    stream = BytesIO(content)
    major, _ = npy.read_magic(stream)
    read = npy.read_array_header_1_0 if major == 1 else npy.read_array_header_2_0
    shape, by_column, kind = read(stream, max_header_size=HEADER_BYTES)
    values = stream.read()
    count = prod(map(int, shape))  # as Python's own numbers: they do not overflow
    if kind.hasobject or kind.itemsize == 0 or count < 0 or count * kind.itemsize != len(values):
        return None
    return np.frombuffer(values, kind, count).reshape(shape, order="F" if by_column else "C")


FORMAT_VERSION = 1  # of stores and of patchwork files; a new section does not change it


@dataclass(frozen=True, slots=True)
class Section:
    """A named part of a saved world or patchwork.

    entries : the names of its entries
    prefix : entries that begin with this belong to it, too: one for each of several items
    """

    name: str
    entries: tuple[str, ...]
    prefix: str | None = None

    def owns(self, entry: str) -> bool:
        """Whether an entry belongs to this section."""
        return entry in self.entries or (self.prefix is not None and entry.startswith(self.prefix))


# Text, sheet, flat sheet, pictures of objects.
TILES = Section("tiles", ("tiles.toml", "tiles.png", "tiles-flat.png", "tiles-objects.png"))
FIELDS = Section("fields", ("fields", "meaning of fields"), prefix="field ")
EDITS = Section("edits", ("log",))  # the edits themselves are in a table of their own
JOINS = Section("joins", ("join", "retries", "presets"))
REFINE = Section("refine", ("refine", "activities"))
# Names reserved for future contents of worlds and patchworks; nothing reads them yet.
RESERVED = ("constraints", "plan")


def check_sections(
    entries: Iterable[str],
    known: Iterable[Section],
    path: object,
    error: type[WavefoldError],
    writer: object = None,
) -> None:
    """Raise `error` if an entry belongs to none of the known sections.

    writer : the version of wavefold that wrote the file, if it is known
    """
    sections = tuple(known)
    unknown = sorted(entry for entry in entries if not any(section.owns(entry) for section in sections))
    if unknown:
        by = f"wavefold {writer}" if writer else "a newer wavefold"
        raise error(
            f"{path} has a section {unknown[0]!r}, which wavefold {__version__} cannot read; open it with "
            f"the version that wrote it ({by})"
        )
