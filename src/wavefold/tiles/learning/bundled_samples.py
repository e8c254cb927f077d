"""Pictures to learn from that come with wavefold: `wf.learn("cave")` finds them by name.

They are files of the package, `wavefold/samples/`, with a table of what each shows and how it is best read:
how large a window, which of its mirror images and turns mean the same, whether the picture has a ground.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypedDict, TypeGuard

from wavefold.errors import TileSetError, suggest

FOLDER = Path(str(files("wavefold"))) / "samples"


class Options(TypedDict):
    """The keywords of `learn`."""

    n: int
    symmetry: int
    periodic: bool
    ground: bool


@cache
def read_table() -> dict[str, Any]:
    """{name: its table in samples.toml}."""
    return tomllib.loads((FOLDER / "samples.toml").read_text("utf-8"))


def samples() -> list[str]:
    """The names `learn` accepts for a path."""
    return sorted(read_table())


def is_sample(source: object) -> TypeGuard[str]:
    """Whether this is the bare name of a picture that comes with wavefold."""
    return isinstance(source, str) and source in read_table()


def sample_description(name: str) -> str:
    """What the picture shows, in a line."""
    return str(find_sample(name)["description"])


def sample_options(name: str) -> Options:
    """How the picture was meant to be read: the keywords `learn` uses for it if not given.

    >>> sample_options("seabed")
    {'n': 3, 'symmetry': 2, 'periodic': True, 'ground': True}
    """
    table = find_sample(name)
    return {"n": 3, "symmetry": table["symmetry"], "periodic": True, "ground": table.get("ground", False)}


def sample_path(name: str) -> Path:
    """Where the picture is."""
    find_sample(name)
    return FOLDER / f"{name}.png"


def find_sample(name: str) -> dict[str, Any]:
    """The table of that name."""
    if not is_sample(name):
        raise TileSetError(f"there is no sample {name!r}; {suggest(name, samples())}")
    table: dict[str, Any] = read_table()[name]
    return table
