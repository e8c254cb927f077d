"""The tables of a tile set file, their keys and values.

Only the form of values is checked here; the reader checks names, sides and pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    WrapValidator,
)

from wavefold.errors import suggest
from wavefold.formats.toml.document import FORMAT_VERSION, MOST_PROBLEMS, Document, KeyPath, freeze_lists
from wavefold.options.groups import MOST_SWEEPS
from wavefold.options.validation import describe_error
from wavefold.options.values import fail_limit, parse_colour
from wavefold.topology import is_lattice, list_lattice_kinds

MOST_ALTERNATIVES = 64  # limits of a tile


def must_be(fits: Callable[[Any], bool], expected: str) -> PlainValidator:
    """A validator: values that fit, with lists as tuples; others are refused with what was expected."""

    def check(value: Any) -> Any:
        if not fits(value):
            raise ValueError(f"must be {expected}")
        return freeze_lists(value)

    return PlainValidator(check)


def is_of_type(*kinds: type) -> Callable[[Any], bool]:
    """Whether a value is of one of these types; True is not a number."""
    return lambda value: type(value) in kinds


def is_list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether this is a list in which each fits, and not empty."""
    return lambda value: isinstance(value, list) and value != [] and all(fits(each) for each in value)


def is_one_or_list_of(fits: Callable[[Any], bool], or_none: bool = False) -> Callable[[Any], bool]:
    """Whether one fits, or each of a list; or_none: which may be empty."""
    return lambda value: fits(value) or is_list_of(fits)(value) or (or_none and value == [])


def fits_sides(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether one fits, or each of a list or of a table."""
    per_side = is_one_or_list_of(fits, or_none=True)
    return lambda value: per_side(list(value.values()) if isinstance(value, dict) else value)


def is_row(length: int, *kinds: type) -> Callable[[Any], bool]:
    """Whether a value is a list of so many values of these types."""
    return lambda value: (
        isinstance(value, list) and len(value) == length and all(type(each) in kinds for each in value)
    )


def check_limits(value: Any, one: Callable[[Any], Any]) -> Any:
    """A table of limits, or several in a list, of which any will do."""
    if not isinstance(value, list):
        return one(value)
    if not 1 <= len(value) <= MOST_ALTERNATIVES:
        tables = f"a list of tables ({MOST_ALTERNATIVES} at most)"
        raise ValueError(f"must be a table, or {tables}, as [{{ height = [0, 1] }}]")
    return tuple(one(each) for each in value)


def is_colour(value: Any) -> bool:
    """Whether this is `#rrggbb`, `#rrggbbaa` or the name of a colour."""
    return isinstance(value, str) and parse_colour(value) is not None


SIDES = "a list with one for each side, or a table, as { north = …, others = … }"
Words = Annotated[
    Any, must_be(is_one_or_list_of(is_of_type(str), or_none=True), "a name or a list of names, in quotes")
]
Sockets = Annotated[Any, must_be(fits_sides(is_of_type(str, int)), f"a word for all sides, {SIDES}")]
Rises = Annotated[Any, must_be(fits_sides(is_of_type(int)), f"a whole number for all sides, {SIDES}")]
SideGroups = Annotated[
    Any,
    must_be(
        is_list_of(is_list_of(is_of_type(str))), 'lists of sides, as [["north", "south"], ["east", "west"]]'
    ),
]
Orientations = Annotated[
    Any,
    must_be(
        lambda value: isinstance(value, str) or is_list_of(is_of_type(str, int))(value),
        'a letter, "fixed", "turned", or a list of orientations such as ["0", "90", "m"]',
    ),
]
is_cell = is_row(2, int)
PER_PATTERN = "or a list of them, one per pattern"
Cells = Annotated[
    Any, must_be(is_one_or_list_of(is_cell), f"a cell of the sheet, as [column, row], {PER_PATTERN}")
]
FlatCells = Annotated[
    Any, must_be(is_one_or_list_of(is_cell), f"a cell of the flat sheet, as [column, row], {PER_PATTERN}")
]
Models = Annotated[
    Any,
    must_be(
        is_one_or_list_of(is_list_of(is_cell)), f"a list of cells, the lowest layer first, {PER_PATTERN}"
    ),
]
Files = Annotated[Any, must_be(is_one_or_list_of(is_of_type(str)), f"a PNG file, {PER_PATTERN}")]
Colours = Annotated[
    Any, must_be(is_one_or_list_of(is_colour), f'a colour such as "#70ac52" or "olive", {PER_PATTERN}')
]
Weights = Annotated[
    Any,
    must_be(
        is_list_of(lambda each: type(each) in (int, float) and 0 < each < inf), "numbers above 0 in a list"
    ),
]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Span = Annotated[Any, must_be(is_row(2, int, float), "two numbers, the lowest first")]
Limits = Annotated[dict[str, Span], WrapValidator(check_limits)]
Value = Annotated[Any, must_be(is_of_type(str, int, float, bool), "text, a number, true or false")]
Size = Annotated[Any, must_be(lambda value: is_cell(value) and min(value) > 0, "[width, height] in pixels")]
Cut = Annotated[
    Any,
    must_be(
        lambda value: is_row(4, int)(value) and min(value[:2]) >= 0 and min(value[2:]) > 0,
        "[left, top, width, height] in pixels",
    ),
]
MapSize = Annotated[
    Any,
    must_be(
        is_list_of(lambda each: type(each) is int and each > 0),
        "[columns, rows], and layers for cubes, in cells",
    ),
]


class Table(BaseModel):
    """A table of the file: no key but those below, and no value of another type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SheetTable(Table):
    """[sheet]: one picture with all others in it. [flat_sheet]: those for flat-top hexagons."""

    file: str
    size: Size
    margin: Annotated[int, Field(ge=0)] = 0
    spacing: Annotated[int, Field(ge=0)] = 0


class TileTable(Table):
    """[tiles.NAME]."""

    sockets: Sockets = None
    weight: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    weights: Weights = None
    symmetry: Orientations = "fixed"
    at: Cells = None
    model: Models = None
    picture: Files = None
    colour: Colours = None
    flat_at: FlatCells = None
    levels: int | None = None
    rises: Rises = ()
    apart: bool = False
    meets: SideGroups = ()
    limits: Limits = {}
    value: Value = None


class ObjectTable(Table):
    """[objects.NAME]: an object on tiles."""

    on: Words
    density: Annotated[float, Field(ge=0, le=1)] = 0.1
    apart: int = 1
    picture: Annotated[Any, must_be(is_of_type(str), "a PNG file")] = None
    cut: Cut = None
    colour: Annotated[Any, must_be(is_colour, 'a colour such as "#70ac52" or "olive"')] = None
    size: float | None = None
    anchor: Annotated[Any, must_be(is_row(2, int, float), "two numbers from 0 to 1, as [0.5, 1]")] = (
        0.5,
        0.5,
    )
    jitter: float = 0.0


class ConstraintTable(Table):
    """[[constraints]]: a rule over whole maps; its other keys depend on the kind."""

    model_config = ConfigDict(extra="allow")

    kind: str


class BesideTable(Table):
    """[[beside]]: one neighbour rule."""

    here: Words
    there: Words
    sides: Words = ()
    allowed: bool = True
    weight: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None


class GroupTable(Table):
    """One of the groups in [touching]."""

    here: Words
    there: Words


class RefineTable(Table):
    """[refine]: how many sweeps suit the set, and for what its activities were found."""

    sweeps: Annotated[int, Field(ge=0, le=MOST_SWEEPS)] | None = None
    digest: str = ""
    seeds: Annotated[int, Field(ge=0)] = 0
    rounds: Annotated[int, Field(ge=0)] = 0
    size: MapSize = ()
    shares: dict[str, Finite] = {}


class LearnedTable(Table):
    """[learned]: how the samples were read."""

    n: Annotated[int, Field(ge=1, le=5)] = 1
    symmetry: Annotated[int, Field(ge=1, le=8)] = 1
    periodic: bool = False
    ground: bool = False


def check_kind(kind: str) -> str:
    """The name of a kind of grid; raises for any other."""
    if not is_lattice(kind):
        raise ValueError(f"unknown topology {kind!r}; {suggest(kind, list_lattice_kinds())}")
    return kind


class FileTable(Table):
    """The whole file."""

    format: int
    name: str = ""
    topology: Annotated[str, AfterValidator(check_kind)] = "square"
    description: str = ""
    size: MapSize = None
    order: Literal["scanline", "spiral"] | None = None
    levels: int = 1
    sheet: SheetTable | None = None
    flat_sheet: SheetTable | None = None
    learned: LearnedTable | None = None
    tiles: dict[str, TileTable]
    objects: dict[str, ObjectTable] = {}
    groups: dict[str, Words] = {}
    beside: list[BesideTable] = []
    constraints: list[ConstraintTable] = []
    refine: RefineTable | None = None
    activities: dict[str, Finite] | None = None
    reached: dict[str, Span] = {}
    touching: dict[str, list[GroupTable]] | None = None


def find_model(path: tuple[str | int, ...]) -> type[Table]:
    """The table a path leads to, for its keys."""
    kinds: dict[tuple[str, int], type[Table]] = {
        ("tiles", 2): TileTable,
        ("objects", 2): ObjectTable,
        ("beside", 2): BesideTable,
        ("constraints", 2): ConstraintTable,
        ("touching", 3): GroupTable,
        ("sheet", 1): SheetTable,
        ("flat_sheet", 1): SheetTable,
        ("learned", 1): LearnedTable,
        ("refine", 1): RefineTable,
    }
    return kinds.get((str(path[0]), len(path)), FileTable) if path else FileTable


# --- from a file to its tables --------------------------------------------------------------------


def parse_tables(document: Document) -> FileTable:
    """The values of a file in their tables, or one sentence for each that does not fit."""
    version = document.data.get("format")
    if version is None:
        document.fail(f"not a tile set of wavefold: its first line would be format = {FORMAT_VERSION}")
    if version != FORMAT_VERSION or version is True:
        document.fail(f"format is {version!r}, and only format {FORMAT_VERSION} can be read", "format")
    tiles = document.data.get("tiles")
    if isinstance(tiles, dict) and len(tiles) > document.most_patterns:
        problem = f"there are {len(tiles):,} tiles; at most {document.most_patterns:,} can be read"
        fail_limit(document.fail, problem, "patterns", document.most_patterns)
    try:
        return FileTable.model_validate(document.data)
    except ValidationError as error:
        found = error.errors(include_url=False)
        document.problems += [describe_problem(each) for each in found[:MOST_PROBLEMS]]
        document.problems += [((), "")] * len(found[MOST_PROBLEMS:])  # only counted
        document.check()
        raise


def describe_problem(error: Any) -> tuple[KeyPath, str]:
    """The place and the message of a validation error."""
    path: KeyPath = tuple(error["loc"])
    match error["type"]:
        case "extra_forbidden":
            known = find_model(path[:-1]).model_fields
            return path, f"unknown key {path[-1]!r}; {suggest(path[-1], known)}"
        case "missing":
            return path[:-1], f"needs a key {path[-1]!r}"
    return path, describe_error(error, name_value(path))


def name_value(path: KeyPath) -> str:
    """The name of a value in messages: its key, or both keys for a field of the limits."""
    names = [str(part) for part in path if isinstance(part, str)]
    if len(path) == 4 and path[2] == "limits":
        return f"limits.{path[3]}"
    return names[-1] if names else "it"
