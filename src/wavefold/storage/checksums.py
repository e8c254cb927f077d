"""The checksum of stored data: damaged data is detected and never used."""

from __future__ import annotations

from hashlib import blake2b

CHECKSUM_BYTES = 16


def checksum(*values: bytes | str | float | None) -> bytes:
    """The checksum of values and their types; it also changes if values are swapped or split differently."""
    digest = blake2b(digest_size=CHECKSUM_BYTES)
    for value in values:
        data = value if isinstance(value, bytes) else repr(value).encode(errors="surrogatepass")
        digest.update(b"%s %d " % (type(value).__name__.encode(), len(data)))
        digest.update(data)
    return digest.digest()
