"""A tile set: a file in this package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import wavefold as wf


def garden() -> wf.TileSet:
    """Lawn, paths and ponds on triangles."""
    return wf.TileSet.load(Path(str(files("wavefold_triangles"))) / "garden.toml")
