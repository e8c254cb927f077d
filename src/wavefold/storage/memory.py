"""Memory limits: work that cannot fit is refused before it begins."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from wavefold.errors import ConfigError
from wavefold.options.values import parse_in_range

# The limit of a container, in the second and the first version of Linux control groups
CGROUPS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))

_limit: ContextVar[int | None] = ContextVar("memory limit", default=None)


@contextmanager
def limit_memory(most: int) -> Iterator[None]:
    """Refuse work that would take more than `most` bytes, within this block and thread.

    Requests for chunks pass the limit on to the threads of a world; your own threads need their own limit.
    The default limit is the memory of the machine or of the container.

    >>> with limit_memory(500_000_000):
    ...     generate(TileSet.load("pipes"), SquareGrid(2000, 2000))
    Traceback (most recent call last):
    wavefold.errors.ConfigError: ...
    """
    token = _limit.set(parse_in_range("most", most, 1, 1 << 62))
    try:
        yield
    finally:
        _limit.reset(token)


def check_memory(needed: int, what: str, advice: str = "make it smaller") -> None:
    """Raise ConfigError if this many bytes are more than allowed; `what` needs them, `advice` would help."""
    limit = _limit.get()
    if needed > (machine_memory() if limit is None else limit):
        most = "this machine has" if limit is None else f"the limit of {format_bytes(limit)}"
        raise ConfigError(
            f"{what} needs about {format_bytes(needed)}, more than {most}",
            advice=f"{advice}, or allow more with wf.limit_memory",
            flag_advice=advice if limit is None else f"{advice}, or raise --memory",
        )


def format_bytes(count: int) -> str:
    """ "2.0 GB", or megabytes if it is less than a tenth."""
    return f"{count / 2**30:,.1f} GB" if count >= 2**30 / 10 else f"{count / 2**20:,.1f} MB"


@cache
def machine_memory() -> int:
    """Bytes of the machine, or of the container if that has less; no limit if it is unknown."""
    found = [1 << 62]
    with suppress(AttributeError, ValueError, OSError):
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for path in CGROUPS:
        with suppress(ValueError, OSError):  # "max" is not a number
            found.append(int(path.read_text()))
    return min(found)
