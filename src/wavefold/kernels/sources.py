"""The sources of the compiled library: what it is built from, and the file name that says so."""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path

FOLDER = Path(__file__).parent
BUILDER = FOLDER / "compile"  # in a checkout; installed packages have a library and no builder
IS_CHECKOUT = (FOLDER / "rebuild.py").exists()
LOADERS = {"library.py", "rebuild.py", "sources.py"}  # not compiled


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


def library_name(digest: str, size: int | str, ending: str) -> str:
    """The file name of a library of so many bytes, built from sources of this digest.

    The size is part of it because a library that was cut off would crash the process that loads it.
    """
    return f"kernels-{digest}-{size}{ending}"


def module_path(digest: str) -> Path:
    """Where a checkout keeps the LLVM code of its library, to link it for other platforms."""
    return FOLDER / f"kernels-{digest}.ll"


def is_library(path: Path) -> bool:
    """Whether a file has the name of a library: copies made by hand may have others."""
    return re.fullmatch(r"kernels-[0-9a-f]{16}-\d+\.\w+", path.name) is not None


def parse_name(path: Path) -> tuple[str, int]:
    """The digest and the size in the file name of a library."""
    _, digest, size = path.stem.split("-")
    return digest, int(size)
