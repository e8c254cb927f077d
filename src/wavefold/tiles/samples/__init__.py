"""Pictures to learn from that come with wavefold, drawn for it: `wf.learn("cave")` finds them by name.

Each was drawn to be read in one way, which is kept beside it: how large a window, which of its mirror
images and turns mean the same, whether the picture stands on a ground.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, TypedDict, TypeGuard

from wavefold.errors import TileSetError, suggest

__all__ = ["Options", "is_sample", "sample_description", "sample_options", "sample_path", "samples"]

FOLDER = Path(__file__).parent


class Options(TypedDict):
    """The keywords of `learn`."""

    n: int
    symmetry: int
    periodic: bool
    ground: bool


class Drawing(NamedTuple):
    """What a picture shows, and how to learn from it."""

    description: str
    symmetry: int
    ground: bool = False

    def options(self) -> Options:
        return {"n": 3, "symmetry": self.symmetry, "periodic": True, "ground": self.ground}


# Symmetry 8 is for what looks the same from every side, 2 for what has an above and a below, 1 for what is
# lit from one side.
DRAWINGS = {
    "cave": Drawing("a cave seen from above: rock with a face to the south, sand, pools and crystals", 2),
    "farmland": Drawing("farmland from the air: wheat, ploughed earth and pasture between hedges", 2),
    "islands": Drawing("islands with woods and beaches in a sea with shallows", 8),
    "kilim": Drawing("a woven rug: nested diamonds in red, blue and cream", 8),
    "lava": Drawing("dark plates of rock with glowing cracks between them", 2),
    "metro": Drawing("the map of an underground railway: lines in four colours, stations, termini", 8),
    "mine": Drawing("a mine cut open: tunnels with props and lamps, ladders between them, gems", 2),
    "motherboard": Drawing("chips, pads, and traces that neither touch nor end in nothing", 8),
    "seabed": Drawing("coral and kelp on sand, with fish and bubbles above", 2, ground=True),
    "tartan": Drawing("plain-woven cloth: coloured threads over and under each other", 1),
    "towers": Drawing("towers with red roofs and lit windows behind battlements, at night", 1, ground=True),
}


def samples() -> list[str]:
    """The names `learn` accepts for a path."""
    return sorted(DRAWINGS)


def is_sample(source: object) -> TypeGuard[str]:
    """Whether this is the bare name of a picture that comes with wavefold."""
    return isinstance(source, str) and source in DRAWINGS


def sample_description(name: str) -> str:
    """What the picture shows, in a line."""
    return drawing(name).description


def sample_options(name: str) -> Options:
    """How the picture was meant to be read: the keywords `learn` uses for it unless told otherwise.

    >>> sample_options("seabed")
    {'n': 3, 'symmetry': 2, 'periodic': True, 'ground': True}
    """
    return drawing(name).options()


def sample_path(name: str) -> Path:
    """Where the picture is."""
    drawing(name)
    return FOLDER / f"{name}.png"


def drawing(name: str) -> Drawing:
    """The entry of that name."""
    if not is_sample(name):
        raise TileSetError(f"there is no sample {name!r}; {suggest(name, samples())}")
    return DRAWINGS[name]
