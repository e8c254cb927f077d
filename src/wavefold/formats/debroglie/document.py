"""The JSON of DeBroglie configurations, with comments, trailing commas and keys in any case.

The models contain all documented fields, including older spellings. Other fields are kept and reported by
name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from wavefold.errors import FormatError
from wavefold.formats.nodes import parse_json, read_bytes
from wavefold.formats.schema import parse_fields

Reference = int | str  # the name of a tile, its number in Tiled, or a colour; with !90 or !x90 if turned
# Backslashes separate folders like slashes, so that a configuration names the same files on every system.
FileName = Annotated[str, AfterValidator(lambda text: text.replace("\\", "/"))]

JSON_STRING = r'"(?:[^"\\]|\\.)*"'
COMMENTS = re.compile(rf"({JSON_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
TRAILING_COMMAS = re.compile(rf"({JSON_STRING})|,(?=\s*[\]}}])", re.DOTALL)

# Fields that are not in the models, with their meaning for reports.
UNSUPPORTED_FIELDS = {
    "changeFrequency": "an old spelling that DeBroglie itself ignores now; write multiplyFrequency",
    "padTile": "an experimental field: tiles that may touch this tile must touch it",
}
IGNORED_FIELDS = ("$schema", "comment")  # for editors and people


class DeBroglieSection(BaseModel):
    """An object of the file; unknown fields are kept in `model_extra`."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True, alias_generator=to_camel)


class PointData(DeBroglieSection):
    """A cell."""

    x: int
    y: int
    z: int = 0


class TileData(DeBroglieSection):
    """The properties of one tile."""

    value: Reference | None = None
    src: FileName | None = None
    multiply_frequency: float | str | None = None
    tile_symmetry: str | None = None
    reflect_x: Reference | None = None
    reflect_y: Reference | None = None
    rotate_cw: Reference | None = None
    rotate_ccw: Reference | None = None
    rotation_treatment: str | None = None


class AdjacencyData(DeBroglieSection):
    """Tiles that may stand on one side of others."""

    left: list[Reference] | None = None
    right: list[Reference] | None = None
    up: list[Reference] | None = None
    down: list[Reference] | None = None
    above: list[Reference] | None = None
    below: list[Reference] | None = None
    src: list[Reference] | None = None
    dest: list[Reference] | None = None
    direction: str | int | None = None


class ModelData(DeBroglieSection):
    """The model: how rules are learned from a sample, or how they are listed."""

    type: str = "adjacent"
    n: int | None = Field(None, ge=1)
    n_x: int | None = Field(None, alias="nX")
    n_y: int | None = Field(None, alias="nY")
    n_z: int | None = Field(None, alias="nZ")


class PathData(DeBroglieSection):
    """The tiles of a path, and the sides on which they continue it."""

    type: str = ""
    tile: Reference | None = None
    tiles: list[Reference] | None = None
    path_tiles: list[Reference] | dict[str, list[str]] | None = None
    exits: dict[str, list[str]] | None = None
    end_points: list[PointData] | None = None
    end_point_tiles: list[Reference] | None = None
    relevant_cells: list[PointData] | None = None
    relevant_tiles: list[Reference] | None = None


class ConstraintData(PathData):
    """A constraint of any type; the type determines the fields that are used."""

    path_spec: PathData | None = None
    use_pick_heuristic: bool = False
    sides: str | None = None
    exclude_sides: str | None = None
    invert_area: bool = False
    ban: bool = False
    point: PointData | None = None
    max_count: int = Field(3, ge=1)
    axes: list[str] | None = None
    comparison: str | int = "atLeast"
    count: int = Field(0, ge=0)
    eager: bool = False
    min_distance: int = Field(1, ge=0)
    tiles1: list[Reference] | None = None
    tiles2: list[Reference] | None = None


class ConfigDocument(DeBroglieSection):
    """The whole file."""

    src_type: str = "sample"
    src: FileName | None = None
    dest: FileName | None = None
    base_directory: FileName | None = None
    model: ModelData = Field(default_factory=lambda: ModelData.model_validate({}))
    periodic_input: bool | None = None
    periodic_input_x: bool | None = None
    periodic_input_y: bool | None = None
    periodic_input_z: bool | None = None
    periodic: bool | None = None
    periodic_x: bool | None = None
    periodic_y: bool | None = None
    periodic_z: bool | None = None
    width: int = Field(48, ge=1)
    height: int = Field(48, ge=1)
    depth: int = Field(48, ge=1)
    ground: Reference | None = None
    symmetry: int | None = Field(None, ge=1)
    rotational_symmetry: int | None = None
    reflectional_symmetry: bool | None = None
    rotation_treatment: str | None = None
    backtrack: bool = False
    animate: bool = False
    auto_adjacency: bool = False
    auto_adjacency_tolerance: float = 0.0
    tiles: list[TileData] = []
    adjacencies: list[AdjacencyData] = []
    constraints: list[ConstraintData] = []

    @property
    def wraps_input(self) -> tuple[bool, ...]:
        """Whether the sample wraps, by axis; `periodic_input` is the default for all axes."""
        own = (self.periodic_input_x, self.periodic_input_y, self.periodic_input_z)
        return tuple(bool(self.periodic_input if each is None else each) for each in own)

    @property
    def wraps(self) -> tuple[bool, ...]:
        """Whether the map wraps, by axis."""
        own = (self.periodic_x, self.periodic_y, self.periodic_z)
        return tuple(bool(self.periodic if each is None else each) for each in own)


SECTIONS = (ConfigDocument, ModelData, TileData, AdjacencyData, ConstraintData, PathData, PointData)
SPELLINGS = {
    field.alias.lower(): field.alias
    for section in SECTIONS
    for field in section.model_fields.values()
    if field.alias
}


def read_document(path: Path) -> ConfigDocument:
    """Read the configuration in a file; raises `FormatError` with the field."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{str(path)!r}: not valid UTF-8: {error.reason}") from None
    node = parse_json(path, strip_comments(text).encode())
    if "format" in node and node.fields["format"] == "wavefold map":
        node.fail("is a map of wavefold, not a configuration of DeBroglie; pass it to wavefold repair")
    return parse_fields(ConfigDocument, spell_keys(node.fields), path)


def strip_comments(text: str) -> str:
    """Convert text to plain JSON; line numbers do not change."""
    text = COMMENTS.sub(lambda found: found[1] or "\n" * found[0].count("\n"), text)
    return TRAILING_COMMAS.sub(lambda found: found[1] or "", text)


def spell_keys(value: Any, names: bool = True) -> Any:
    """Spell the keys of a value like those of the models; names of tiles are kept."""
    if isinstance(value, list):
        return [spell_keys(each, names) for each in value]
    if not hasattr(value, "items"):
        return value
    spelled = {}
    for key, each in value.items():
        name = SPELLINGS.get(key.lower(), key) if names else key
        spelled[name] = spell_keys(each, names=name not in ("exits", "pathTiles"))
    return spelled


def find_unknown(section: DeBroglieSection, where: str = "") -> Iterator[str]:
    """A sentence for every unsupported field, with its place."""
    for name in section.model_extra or {}:
        if name not in IGNORED_FIELDS:
            meaning = UNSUPPORTED_FIELDS.get(name, "an unknown field")
            yield f"{f'{where}.{name}'.strip('.')} is ignored: {meaning}"
    for name, field in type(section).model_fields.items():
        value, alias = getattr(section, name), field.alias or name
        path = f"{where}.{alias}".strip(".")
        if isinstance(value, DeBroglieSection):
            yield from find_unknown(value, path)
        if isinstance(value, list):
            for index, each in enumerate(value):
                if isinstance(each, DeBroglieSection):
                    yield from find_unknown(each, f"{path}[{index}]")
