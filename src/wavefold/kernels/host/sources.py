"""The sources of the compiled library, and the digests in its file name."""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path
from zlib import crc32

HOST = Path(__file__).parent  # not compiled, so the library does not depend on it
FOLDER = HOST.parent
IS_CHECKOUT = (HOST / "rebuild.py").exists()
CHECKOUT = FOLDER.parents[2]  # has pyproject.toml


def list_sources() -> list[Path]:
    """List all files that the library depends on."""
    folders = [path for path in FOLDER.iterdir() if path.is_dir() and path.name != HOST.name]
    return sorted(path for folder in (FOLDER, *folders) for path in folder.glob("*.py"))


def digest_sources() -> str:
    """Return a digest of all sources, in hexadecimal; it does not depend on line endings."""
    digest = blake2b(digest_size=8)
    for path in list_sources():
        text = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.relative_to(FOLDER).as_posix()} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def library_name(digest: str, checksum: str, ending: str) -> str:
    """Return the file name of a library with this checksum, built from sources with this digest.

    It contains the checksum because loading a damaged library would crash the process.
    """
    return f"kernels-{digest}-{checksum}{ending}"


def checksum_of(content: bytes) -> str:
    """Return the CRC-32 of the content of a library, in hexadecimal."""
    return f"{crc32(content):08x}"


def module_path(digest: str) -> Path:
    """Return the path of the LLVM code of a checkout's library, which is linked for other platforms."""
    return FOLDER / f"kernels-{digest}.ll"


def is_library(path: Path) -> bool:
    """Return whether a file has the name of a library."""
    return re.fullmatch(r"kernels-[0-9a-f]{16}-[0-9a-f]{8}\.\w+", path.name) is not None


def parse_name(path: Path) -> tuple[str, str]:
    """Return the digest and the checksum in the file name of a library."""
    _, digest, checksum = path.stem.split("-")
    return digest, checksum
