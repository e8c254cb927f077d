"""The sources of the compiled library: what it is built from, and the file name that says so."""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path
from zlib import crc32

FOLDER = Path(__file__).parent
BUILDER = FOLDER / "compile"  # in a checkout; installed packages have a library and no builder
IS_CHECKOUT = (FOLDER / "rebuild.py").exists()
CHECKOUT = FOLDER.parent.parent.parent  # has pyproject.toml
LOADERS = {"library.py", "rebuild.py", "remedies.py", "sources.py"}  # not compiled


def list_sources() -> list[Path]:
    """All files that the library depends on."""
    compiled = (path for path in FOLDER.glob("*.py") if path.name not in LOADERS)
    return sorted(compiled) + sorted(BUILDER.glob("*.py"))


def digest_sources() -> str:
    """Digest of all sources, in hexadecimal; the same whatever ends their lines."""
    digest = blake2b(digest_size=8)
    for path in list_sources():
        text = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.relative_to(FOLDER).as_posix()} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def library_name(digest: str, checksum: str, ending: str) -> str:
    """The file name of a library with this checksum, built from sources of this digest.

    The checksum is part of it because a damaged library would crash the process that loads it.
    """
    return f"kernels-{digest}-{checksum}{ending}"


def checksum_of(content: bytes) -> str:
    """CRC-32 of the content of a library, in hexadecimal."""
    return f"{crc32(content):08x}"


def module_path(digest: str) -> Path:
    """Where a checkout keeps the LLVM code of its library, to link it for other platforms."""
    return FOLDER / f"kernels-{digest}.ll"


def is_library(path: Path) -> bool:
    """Whether a file has the name of a library: copies made by hand may have others."""
    return re.fullmatch(r"kernels-[0-9a-f]{16}-[0-9a-f]{8}\.\w+", path.name) is not None


def parse_name(path: Path) -> tuple[str, str]:
    """The digest and the checksum in the file name of a library."""
    _, digest, checksum = path.stem.split("-")
    return digest, checksum
