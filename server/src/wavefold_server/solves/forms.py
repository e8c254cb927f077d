"""Requests as forms: which settings and constraints there are and what can be filled in, in plain words."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import Any, Literal

from pydantic import BaseModel, Field

from wavefold.constraints import KIND_KEY
from wavefold.plugins import available, find
from wavefold_server.solves.models import SolveRequest

Control = Literal["tiles", "number", "flag", "choice", "sockets", "area", "text", "tile_numbers"]


class FormKey(BaseModel):
    """A key of a table, and the control that fits it."""

    name: str
    title: str
    control: Control
    needed: bool = Field(default=False, description="a table without it is refused")
    options: list[Any] = Field(default=[], description="for a choice")
    words: dict[str, str] = Field(default={}, description="what options are called, if not by themselves")
    smallest: float | None = None
    help: str = Field(default="", description="a sentence")
    usual: Any = Field(default=None, description="what it is if it is not set")
    main: bool = Field(default=True, description="false: for those who want to know it exactly")


class ConstraintForm(BaseModel):
    """A kind of constraint."""

    kind: str
    title: str
    help: str = Field(description="a sentence")
    keys: list[FormKey]
    start: dict[str, Any] = Field(description="the initial table, without the required tiles")


class SettingsForm(BaseModel):
    """A section of a request."""

    section: str = Field(description="empty for keys of the request itself")
    title: str
    help: str
    keys: list[FormKey]


class RequestForms(BaseModel):
    """All of a request that can be filled in."""

    constraints: list[ConstraintForm]
    settings: list[SettingsForm]


class Words(BaseModel):
    """What people call a kind, its keys and what it begins with."""

    title: str
    keys: dict[str, tuple[str, Control]]
    help: str = ""
    start: dict[str, Any] = {}


def keys(**pairs: tuple[str, Control]) -> dict[str, tuple[str, Control]]:
    """{key: its title and control}."""
    return pairs


PATH = keys(tiles=("Tiles of the path", "tiles"), sides=("Or joined at sides", "sockets"))
TILE = keys(tile=("Tile", "tiles"))
INSIDE = keys(area=("Only in", "area"))
WORDS = {
    "count": Words(
        title="How often a tile appears",
        help="Asks for a number of cells of a tile, on the map or in a part of it.",
        keys=keys(tile=("Tile", "tiles"), at_least=("At least", "number"), at_most=("At most", "number"))
        | INSIDE,
        start={"at_least": 1},
    ),
    "border": Words(
        title="Tiles at the edge",
        help="Keeps a tile at the edge of the map, or away from it.",
        keys=keys(tile=("Tile", "tiles"), side=("Side", "choice"), ban=("Never there instead", "flag")),
    ),
    "area": Words(
        title="Tiles in an area",
        help="Fills a part of the map with a tile, or keeps it out.",
        keys=keys(tile=("Tile", "tiles"), area=("Area", "area"), ban=("Never there instead", "flag")),
        start={"area": [0, 0, 8, 8]},
    ),
    "connected": Words(
        title="All in one piece",
        help="Joins all cells of these tiles by paths, from any of them to any other.",
        keys=PATH | INSIDE,
    ),
    "loop": Words(title="Paths are loops", help="Every path is a closed loop.", keys=PATH),
    "acyclic": Words(title="Paths have no loops", help="No path returns to its start.", keys=PATH),
    "reach": Words(
        title="A way from here to there",
        help="Makes sure that there is a way from every start to every goal.",
        keys=keys(start=("From", "tiles"), goal=("To", "tiles"), at_most=("Steps at most", "number")) | PATH,
    ),
    "max_run": Words(
        title="Not too many in a row",
        help="Ends long straight lines of a tile.",
        keys=keys(tile=("Tile", "tiles"), at_most=("At most", "number"), axis=("Direction", "choice")),
        start={"at_most": 4},
    ),
    "parallel": Words(
        title="No parallel lines",
        help="Keeps lines of a tile from running side by side.",
        keys=keys(tile=("Tile", "tiles"), at_most=("Cells at most", "number")),
        start={"at_most": 2},
    ),
    "separation": Words(
        title="Far apart from the same tile",
        help="Spreads the cells of a tile over the map.",
        keys=keys(tile=("Tile", "tiles"), distance=("Steps at least", "number")),
        start={"distance": 4},
    ),
    "pair_separation": Words(
        title="Far apart from another",
        help="Keeps two kinds of tiles away from each other.",
        keys=keys(first=("Tile", "tiles"), second=("From", "tiles"), distance=("Steps at least", "number")),
        start={"distance": 4},
    ),
    "room": Words(
        title="Sizes of rooms",
        help="Limits how small and how large connected areas of a tile are.",
        keys=keys(
            tile=("Tile", "tiles"), smallest=("Cells at least", "number"), largest=("Cells at most", "number")
        ),
        start={"smallest": 4},
    ),
    "downhill": Words(
        title="Rivers run downhill",
        help="Lets water flow off the map: no valley without an outlet.",
        keys=keys(tile=("River", "tiles"), sides=("Joined at sides", "sockets")),
    ),
    "mirror": Words(
        title="The same in a mirror",
        help="Makes one half the mirror image of the other.",
        keys=keys(axis=("Mirror", "choice")),
    ),
    "rotational": Words(
        title="The same when turned",
        help="The map looks the same after a turn.",
        keys=keys(order=("Times in a full turn", "choice")),
        start={"order": 2},
    ),
}
OPTIONS: dict[tuple[str, str], list[Any]] = {
    ("border", "side"): ["all", "north", "east", "south", "west", "corners"],
    ("max_run", "axis"): ["horizontal", "vertical"],
    ("mirror", "axis"): ["vertical", "horizontal"],
    ("rotational", "order"): [2, 3, 4, 6],
}
ELSEWHERE = {
    "slope": "it needs a field",
    "joins": "it needs cells",
}  # kinds and keys that no form has, and why


def list_forms() -> RequestForms:
    """All kinds of constraints, ours first, those of other packages by their own names; and all settings."""
    kinds = [*WORDS, *(each for each in available("constraint") if each not in (*WORDS, *ELSEWHERE))]
    settings = [describe_section(section, *about) for section, about in SECTIONS.items()]
    return RequestForms(constraints=[describe_kind(kind) for kind in kinds], settings=settings)


def describe_kind(kind: str) -> ConstraintForm:
    """The form of a kind of constraint; a kind of another package has its name as the title."""
    make = find("constraint", kind)
    sentence = " ".join((make.__doc__ or "").split("\n\n")[0].split()).replace("`", "")
    words = WORDS.get(kind, Words(title=kind.replace("_", " ").capitalize(), keys={}))
    found = [each for each in signature(make).parameters.values() if each.name not in ELSEWHERE]
    ordered = sorted(
        found, key=lambda each: list(words.keys).index(each.name) if each.name in words.keys else 99
    )
    listed = [describe_key(kind, each, words) for each in ordered]
    return ConstraintForm(
        kind=kind,
        title=words.title,
        help=words.help or sentence,
        keys=listed,
        start={KIND_KEY: kind} | words.start,
    )


def describe_key(kind: str, parameter: Parameter, words: Words) -> FormKey:
    """The control for a parameter, by its words or else by its type."""
    name, hint = parameter.name, str(parameter.annotation)
    guess: Control = "flag" if hint == "bool" else "number" if hint in ("int", "float") else "text"
    title, control = words.keys.get(name, (name.replace("_", " ").capitalize(), guess))
    is_needed = parameter.default is Parameter.empty
    smallest = None if control != "number" else 0.0 if name in ("at_least", "at_most") else 1.0
    options = OPTIONS.get((kind, name), [])
    return FormKey(
        name=name, title=title, control=control, needed=is_needed, options=options, smallest=smallest
    )


# --- settings ---------------------------------------------------------------------------------------

# By section: its title, a sentence, and the keys that most people want; of the request itself, all.
SECTIONS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "heuristics": (
        "Order and choice",
        "Which cell is decided next, and which tile it becomes.",
        ("order", "corner", "choice", "ties"),
    ),
    "search": (
        "Dead ends",
        "What the solver does when no tile fits.",
        ("ladder", "restarts", "repairs", "exact"),
    ),
    "budget": ("Patience", "When to give up.", ("ms", "decisions", "backtracks")),
    "": (
        "How it is computed",
        "The first two never change a map, only the time it takes.",
        ("propagation", "undo", "share_tolerance"),
    ),
}
# What people read instead of the descriptions that programmers read.
HELP = {
    "order": "Which cell is decided next. Another order gives maps another look.",
    "corner": "Where it begins if cells are decided row by row.",
    "choice": "Which of its possible tiles a cell becomes.",
    "ties": "How ties between cells are broken.",
    "ladder": "How the solver continues when no tile fits.",
    "restarts": "How often it may start again, each time with another derived seed.",
    "repairs": "How many small areas may be cleared and solved again in one attempt.",
    "exact": "Slow, but it may prove that there is no such map.",
    "ms": "It gives up after this time. It never changes a map that is found.",
    "decisions": "It gives up after so many decisions; the same on every machine.",
    "backtracks": "It gives up after so many steps back; the same on every machine.",
    "propagation": "How the consequences of a decision are found.",
    "undo": "How steps back are remembered.",
    "share_tolerance": "How far a share may be missed before the statistics name it.",
}
OPTION_WORDS = {
    "order": {
        "auto": "as the tile set suggests", "entropy": "surest cell first", "domain": "fewest left first",
        "both": "fewest tiles, then surest", "score": "by a score of both", "scanline": "row by row",
        "spiral": "from the middle outwards", "random": "anywhere",
    },
    "ties": {"random": "any of them", "scanline": "row by row", "spiral": "from the middle outwards"},
    "choice": {
        "weighted": "drawn by weight", "heaviest": "always the heaviest", "even": "all alike",
        "matching": "like the neighbours",
    },
    "ladder": {
        "auto": "whatever helps", "backtrack": "one step back", "backjump": "jump back to the cause",
        "repair": "clear a small area", "witness": "repeat what is known to fit", "restart": "begin again",
        "exact": "try all possibilities",
    },
}  # fmt: skip
LIVE = {("search", "ladder"): ("sat",)}  # options that nobody can watch


def describe_section(section: str, title: str, sentence: str, main: tuple[str, ...]) -> SettingsForm:
    """The form of a section, from the model of a request."""
    model: type[BaseModel] = SolveRequest.model_fields[section].annotation if section else SolveRequest  # type: ignore[assignment]
    schema = model.model_json_schema()["properties"]
    names = [*main, *(name for name in schema if section and name not in main)]
    return SettingsForm(
        section=section,
        title=title,
        help=sentence,
        keys=[describe_setting(section, name, schema[name], name in main) for name in names],
    )


def describe_setting(section: str, name: str, schema: dict[str, Any], is_main: bool) -> FormKey:
    """The control for a setting, from its schema."""
    kinds = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    kind, hidden = kinds[0], LIVE.get((section, name), ())
    options = [each for each in kind.get("enum", schema.get("examples", [])) if each not in hidden]
    controls: dict[str, Control] = {"boolean": "flag", "object": "tile_numbers", "string": "text"}
    control = "choice" if options else controls.get(kind.get("type", ""), "number")
    return FormKey(
        name=name,
        title=schema["title"],
        control=control,
        options=options,
        words=OPTION_WORDS.get(name, {}),
        help=HELP.get(name) or write_sentence(schema.get("description", "")),
        usual=schema.get("default"),
        main=is_main,
    )


def write_sentence(text: str) -> str:
    """A description without the marks of code."""
    plain = text.replace("`", "").replace('"', "").strip()
    return plain[:1].upper() + plain[1:].rstrip(".") + "." if plain else ""
