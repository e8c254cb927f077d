"""Folders for results that can be computed again."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from pathlib import Path


def cache_home() -> Path | None:
    """The user's cache folder, by the rules of the platform; None without a home.

    This replaces a dependency on platformdirs by ten lines.
    """
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "wavefold"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "wavefold"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wavefold"
    except RuntimeError:  # a user without an entry in the list of users
        return None


def temporary_home() -> Path | None:
    """A private folder in the temporary directory; None if another user could write into it.

    Results are read from there, so only this user may write them.
    """
    try:
        if not hasattr(os, "getuid"):
            return Path(tempfile.gettempdir()) / "wavefold"
        folder = Path(tempfile.gettempdir()) / f"wavefold-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022
    return folder if is_ours else None
