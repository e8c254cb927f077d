"""JSON and arrays as bytes: written plainly, read from untrusted files."""

from __future__ import annotations

import json
from io import BytesIO
from math import prod
from typing import Any, NoReturn

import numpy as np
from numpy.lib import format as npy
from numpy.typing import ArrayLike, NDArray

MOST_LISTS = 1 << 22  # and objects: each takes much more memory than its two brackets in the file
MOST_NESTED = 256  # lists and objects within each other: Python's own limit depends on the caller
HEADER_BYTES = 10_000
QUOTE, OPENING, CLOSING = b'"', b"[{", b"]}"
OTHERS = bytes(set(range(256)) - set(QUOTE + OPENING + CLOSING))


def parse_limited_json(data: bytes, most_lists: int = MOST_LISTS, infinite: bool = False) -> Any:
    """Parse a JSON document in UTF-8. Raises ValueError, also if it is too large or too deep.

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
    """Count the lists and objects of a document, and how deep they are nested; strings do not count."""
    unescaped = data.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in data else data
    signs = np.frombuffer(unescaped.translate(None, OTHERS), np.uint8)
    signs = signs[np.cumsum(signs == ord(QUOTE), dtype=np.int32) % 2 == 0]
    opens, closes = np.isin(signs, list(OPENING)), np.isin(signs, list(CLOSING))
    depths = np.cumsum(opens.astype(np.int8) - closes.astype(np.int8), dtype=np.int32)
    return int(np.count_nonzero(opens)), int(depths.max(initial=0))


def refuse_constant(constant: str) -> NoReturn:
    """Raise for NaN and Infinity."""
    raise ValueError(f"{constant} is not a number")


def encode_array(array: ArrayLike) -> bytes:
    """Encode an array as an .npy file."""
    stream = BytesIO()
    npy.write_array(stream, np.asanyarray(array), version=(1, 0), allow_pickle=False)
    return stream.getvalue()


def parse_array(content: bytes) -> NDArray[Any]:
    """Return the array in an .npy file, read-only. Raises ValueError for another file or size."""
    stream = BytesIO(content)
    major, _ = npy.read_magic(stream)
    read = npy.read_array_header_1_0 if major == 1 else npy.read_array_header_2_0
    shape, by_column, kind = read(stream, max_header_size=HEADER_BYTES)
    values = stream.read()
    count = prod(map(int, shape))  # as Python's own numbers: they do not overflow
    if kind.hasobject or kind.itemsize == 0 or count < 0 or count * kind.itemsize != len(values):
        raise ValueError("its size is not what its header says")
    return np.frombuffer(values, kind, count).reshape(shape, order="F" if by_column else "C")


def encode_integers(values: ArrayLike) -> bytes:
    """Encode whole numbers as an .npy file."""
    return encode_array(np.asarray(values, "<i8"))


def parse_integers(content: bytes, *shape: int) -> NDArray[np.int64]:
    """Decode the result of `encode_integers`. Raises ValueError for another shape; -1 allows any length."""
    array = parse_array(content)
    if array.dtype != np.dtype("<i8") or array.ndim != len(shape):
        raise ValueError(f"not an array of whole numbers in {len(shape)} dimensions")
    if any(length not in (-1, found) for length, found in zip(shape, array.shape, strict=True)):
        raise ValueError(f"an array of shape {array.shape}, not {shape}")
    return array.astype(np.int64)
