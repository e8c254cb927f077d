"""The documented schema of JSON maps, and of the notes in other map files.

Unknown fields are ignored, so that a file may carry more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema

from wavefold._version import __version__
from wavefold.errors import FormatError
from wavefold.options.validation import describe_error
from wavefold.options.values import shorten
from wavefold.storage.files import AnyFile

FORMAT, VERSION = "wavefold map", 1
MOST_CELLS = 1 << 22  # positions in the box around a map: 2048 x 2048

Size: TypeAlias = Annotated[int, Field(ge=1, le=MOST_CELLS)]
Pair: TypeAlias = Annotated[list[bool], Field(min_length=2, max_length=2)]
Triple: TypeAlias = Annotated[list[bool], Field(min_length=3, max_length=3)]
ROW: dict[str, Any] = {"type": "array", "items": {"type": ["integer", "null"], "minimum": 0}}
ROWS: dict[str, Any] = {"type": "array", "items": ROW}
CELLS = {"anyOf": [ROWS, {"type": "array", "items": ROWS}, ROW]}


class SchemaSection(BaseModel):
    """A strict model: "3" is not a number, 1 is not true."""

    model_config = ConfigDict(strict=True, frozen=True)


class SquareNote(SchemaSection):
    """Rows and columns."""

    kind: Literal["square"]
    width: Size
    height: Size
    wraps: Pair = Field([False, False], description="whether columns, and rows, join their ends")
    mask: list[str] | None = Field(None, description="rows of text: # is a cell, . is none")


class HexNote(SchemaSection):
    """Hexagons in axial coordinates (q, r)."""

    kind: Literal["hex"]
    form: Literal["disk", "rectangle", "rhombus"]
    layout: Literal["pointy", "flat"]
    radius: Annotated[int, Field(ge=0, le=MOST_CELLS)] | None = Field(None, description="of a disk only")
    width: Size | None = Field(None, description="not of a disk")
    height: Size | None = Field(None, description="not of a disk")
    wraps: Pair = Field([False, False], description="q and r; only a rhombus can")
    mask: list[str] | None = Field(None, description="rows r of text over columns q: # is a cell, . is none")


class CubeNote(SchemaSection):
    """Layers of rows and columns, the lowest first."""

    kind: Literal["cube"]
    width: Size
    height: Size
    depth: Size
    wraps: Triple = Field([False, False, False], description="columns, rows, layers")
    mask: list[list[str]] | None = Field(None, description="layers of rows of text: # is a cell, . is none")


LATTICE_NOTES = {"square": SquareNote, "hex": HexNote, "cube": CubeNote}


class GraphNote(SchemaSection):
    """Any cells, written as text, numbers or lists of them, and the edges between them."""

    kind: Literal["graph"]
    cells: list[Any]
    edges: list[Annotated[list[Any], Field(min_length=3, max_length=3)]] = Field(
        description="[from, to, label]"
    )


TopologyNote: TypeAlias = Annotated[
    SquareNote | HexNote | CubeNote | GraphNote, Field(discriminator="kind", description="where cells are")
]


class TileSetNote(SchemaSection):
    """Which tiles the map was made with."""

    name: str
    digest: str = Field(description="of what the rules allow and weigh")
    topology: str
    patterns: int = Field(description="how many the set has")


class Entry(SchemaSection):
    """A pattern that stands in the map."""

    pattern: str = Field(description="its full name: the tile's, and a suffix if it is turned or raised")
    tile: str
    value: Any = Field(None, description="what a learned pattern stands for; a colour is [r, g, b] or with a")


class ObjectEntry(SchemaSection):
    """An object that stands on a cell."""

    object: str = Field(description="its name")
    cell: list[int] = Field(description="the coordinate of its cell; of a part of a world, in the world")
    position: list[float] = Field(
        description="the point where it stands, in cells: on squares from the corner of cell (0, 0), on "
        "hexagons from its middle"
    )


class MapHeader(SchemaSection):
    """Everything but the cells."""

    format: Literal["wavefold map"]
    version: Literal[1]
    wavefold: str = Field("", description="the version that wrote the file")
    content_version: int | None = Field(None, description="with the same one, a seed gives the same map")
    seed: int | None = None
    tileset: TileSetNote
    topology: TopologyNote
    origin: list[int] | None = Field(None, description="the coordinate of the first position in `cells`")
    world: bool = Field(False, description="whether the map is a part of an endless world, at its origin")
    statistics: dict[str, Any] | None = None


class MapDocument(MapHeader):
    """A map in JSON."""

    palette: list[Entry]
    cells: Annotated[list[Any], WithJsonSchema(CELLS)] = Field(
        description="[row][column], [layer][row][column] or, on graphs, [cell]: an index in the palette, "
        "from 0; null where nothing is decided, or where there is no cell"
    )
    objects: list[ObjectEntry] = Field([], description="what is laid over the tiles")


def json_schema() -> dict[str, Any]:
    """The JSON Schema of maps in JSON."""
    schema = MapDocument.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A map of wavefold",
        **{name: part for name, part in schema.items() if name not in ("title", "description")},
    }


class MapNote(SchemaSection):
    """The note in a map of Tiled."""

    topology: TopologyNote


Model = TypeVar("Model", bound=BaseModel)


def parse_fields(model: type[Model], data: Mapping[str, Any], source: AnyFile, where: str = "") -> Model:
    """The fields of a file as this model; raises `FormatError`, which names the file and the field."""
    if "version" in model.model_fields:
        check_version(data, source, where)
    try:
        return model.model_validate(dict(data))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    except (RecursionError, OverflowError):
        raise FormatError(f"{str(source)!r}{where} is nested too deeply") from None
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]).strip(".")
    for kind in (*LATTICE_NOTES, "graph"):  # which of the topologies it is stands in the path
        path = path.replace(f"topology.{kind}", "topology")
    if first["type"] == "missing":
        raise FormatError(f"{str(source)!r}{where}: field {path!r} is missing")
    raise FormatError(f"{str(source)!r}{where}: {describe_error(first, path, 'an object')}")


def check_version(data: Mapping[str, Any], source: AnyFile, where: str) -> None:
    """Raise for what is not a wavefold map, or one of a newer version of the format."""
    if data.get("format") != FORMAT:
        if data.get("type") == "map":
            raise FormatError(f"{str(source)!r}{where} is a map of Tiled; its ending must be .tmj")
        found = f"is {shorten(data['format'])}" if "format" in data else "is missing"
        raise FormatError(
            f"{str(source)!r}{where}: the file ends in {source.suffix} but is not a wavefold map: "
            f"field 'format' {found}; expected {FORMAT!r}"
        )
    version = data.get("version")
    if type(version) is int and version > VERSION:
        raise FormatError(
            f"{str(source)!r}{where} has version {version} of the format; wavefold {__version__} reads "
            f"version {VERSION}: install a newer one"
        )
