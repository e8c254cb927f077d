"""How much memory there is, so that work that cannot fit is refused before it begins."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

UNKNOWN = 1 << 62
CONTAINER_LIMIT = Path("/sys/fs/cgroup/memory.max")


def memory_limit() -> int:
    """The bytes this machine, or the container, has in all; a huge number if it does not say."""
    limits = [UNKNOWN]
    with suppress(AttributeError, ValueError, OSError):  # Windows has no sysconf
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(ValueError, OSError):  # "max" is not a number
        limits.append(int(CONTAINER_LIMIT.read_text()))
    return min(limit for limit in limits if limit > 0)


def format_bytes(count: int) -> str:
    """`5368709120` -> "5.0 GB"."""
    return f"{count / 2**30:,.1f} GB" if count >= 2**30 else f"{count / 2**20:,.0f} MB"
