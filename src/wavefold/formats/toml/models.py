"""The tables of a tile set file: their keys, and the types of values.

`reader` checks names, sides and pictures.
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

MOST_ALTERNATIVES = 64  # tables of limits of one tile


def must_be(fits: Callable[[Any], bool], expected: str) -> PlainValidator:
    """A validator that accepts fitting values, with lists as tuples; `expected` is for the message."""

    def check(value: Any) -> Any:
        if not fits(value):
            raise ValueError(f"must be {expected}")
        return freeze_lists(value)

    return PlainValidator(check)


def is_of_type(*kinds: type) -> Callable[[Any], bool]:
    """A test for values of these exact types; True is not a number."""
    return lambda value: type(value) in kinds


def is_list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A test for lists that are not empty and whose elements fit."""
    return lambda value: isinstance(value, list) and value != [] and all(fits(each) for each in value)


def is_one_or_list_of(fits: Callable[[Any], bool], or_none: bool = False) -> Callable[[Any], bool]:
    """A test for a fitting value or a list of them; with `or_none`, the list may be empty."""
    return lambda value: fits(value) or is_list_of(fits)(value) or (or_none and value == [])


def fits_sides(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A test for a fitting value, or a list or table of them."""
    per_side = is_one_or_list_of(fits, or_none=True)
    return lambda value: per_side(list(value.values()) if isinstance(value, dict) else value)


def is_row(length: int, *kinds: type) -> Callable[[Any], bool]:
    """A test for lists of this length with values of these types."""
    return lambda value: (
        isinstance(value, list) and len(value) == length and all(type(each) in kinds for each in value)
    )


def check_limits(value: Any, one: Callable[[Any], Any]) -> Any:
    """Validate a table of limits, or a list of alternative ones."""
    if not isinstance(value, list):
        return one(value)
    if not 1 <= len(value) <= MOST_ALTERNATIVES:
        tables = f"a list of at most {MOST_ALTERNATIVES} tables"
        raise ValueError(f"must be a table, or {tables}, such as [{{ height = [0, 1] }}]")
    return tuple(one(each) for each in value)


def is_colour(value: Any) -> bool:
    """Whether a value is `#rrggbb`, `#rrggbbaa` or the name of a colour."""
    return isinstance(value, str) and parse_colour(value) is not None


SIDES = "a list with one for each side, or a table such as { north = …, others = … }"
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
PER_PATTERN = "or a list with one per pattern"
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
    """A table of the file; unknown keys and values of other types are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SheetTable(Table):
    """[sheet]: the picture that contains those of the tiles. [flat_sheet]: the same for flat-top hexagons."""

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
    """A group in [touching]."""

    here: Words
    there: Words


class RefineTable(Table):
    """[refine]: the recommended sweeps and shares, and the settings of the calibration."""

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
    """Return the name of a kind of grid; raises if it is unknown."""
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
    """The model of the table at a path."""
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
    """Validate the values of a file; raises with one sentence for each problem."""
    version = document.data.get("format")
    if version is None:
        document.fail(f"not a tile set of wavefold: the key format = {FORMAT_VERSION} is missing")
    if version != FORMAT_VERSION or version is True:
        document.fail(f"format {version!r} is unsupported; expected {FORMAT_VERSION}", "format")
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
    """The name of a value in messages: its key, or `limits.FIELD`."""
    names = [str(part) for part in path if isinstance(part, str)]
    if len(path) == 4 and path[2] == "limits":
        return f"limits.{path[3]}"
    return names[-1] if names else "it"
