"""What answers about tile sets say, and what requests about them may contain."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints

from wavefold.tiles import LARGEST_SCALE, LARGEST_WINDOW, MOST_COLOURS
from wavefold_server.bodies import Body

Origin = Literal["bundled", "uploaded", "learned"]
MOST_LETTERS = 10_000  # of a list of patterns
OneLine = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class CertificateAnswer(BaseModel):
    """What is known about endless maps."""

    verdict: Literal["periodic", "impossible", "undecided", "unknown"] = Field(
        description='"periodic": a map that repeats was found; "unknown": the search was stopped'
    )
    text: str = Field(description="the verdict as a sentence")
    size: list[int] = Field(
        default=[], description="size, in cells, of the periodic map or of the impossible one"
    )
    mixing: float = Field(default=0.0, description="the share of a window that changes when solved again")


class PictureLinks(BaseModel):
    """Where pictures of a tile set are."""

    sample: str
    atlas: str


class TileSetSummary(BaseModel):
    """A tile set in a list."""

    id: str = Field(description="the `tileset` of other requests")
    name: str
    origin: Origin
    description: str
    topology: str
    tile_count: int
    pattern_count: int
    size: list[int] | None = Field(description="of a recommended map, in cells")
    digest: str = Field(description="of the rules: equal digests, equal maps")
    worlds: bool = Field(description="whether endless worlds are possible; the certificate says why not")
    certificate: CertificateAnswer
    pictures: PictureLinks
    created: float | None = Field(default=None, description="when it was uploaded, in seconds since 1970")


class TileSetList(BaseModel):
    """All tile sets: those that come with wavefold, then uploads by age."""

    tilesets: list[TileSetSummary]


class UploadAnswer(TileSetSummary):
    """An uploaded tile set."""

    findings: list[str] = Field(default=[], description="what looks like a mistake, a sentence each")


class TileAnswer(BaseModel):
    """A tile, as its author drew it."""

    name: str
    weight: float
    symmetry: str | list[str | int]
    sockets: dict[str, str | int] | None = Field(description="by side; none if rules say what may touch")
    levels: int
    rises: list[int]
    apart: bool
    limits: list[dict[str, tuple[float | None, float | None]]] = Field(description="by field")
    meets: list[list[str]]
    patterns: list[int]
    picture: str


class PatternAnswer(BaseModel):
    """A tile in one orientation, at one height; its number is its place in the list, and in the atlas."""

    name: str
    tile: str
    weight: float
    level: int
    orientation: str = Field(description='degrees clockwise, "m" for mirrored left to right first')
    sockets: list[str | int] | None = Field(description="by direction")
    value: Any = Field(default=None, description="learned sets: the colour or value that it stands for")


class AtlasAnswer(BaseModel):
    """All patterns in one picture: number n is in column n % columns, row n // columns."""

    url: str
    columns: int
    rows: int
    width: int = Field(description="of a pattern, in pixels")
    height: int
    size: int = Field(description="of a cell, in pixels; hexagons and cubes have room around it")


class VoxelAnswer(BaseModel):
    """The models of all patterns in one picture: number n is in column n % columns, row n // columns.

    The layers of a model are side by side, the lowest first.
    """

    url: str
    columns: int
    width: int = Field(description="of a model, in voxels, to the east")
    height: int = Field(description="to the south")
    depth: int = Field(description="layers")


class TileSetAnswer(TileSetSummary):
    """Everything about a tile set but its rules."""

    directions: list[str] = Field(description="sides of a cell, in the order of sockets")
    sweeps: int = Field(description="of refining that suit its maps")
    tiles: list[TileAnswer]
    patterns: list[PatternAnswer]
    groups: dict[str, list[int]] = Field(description="patterns of each group")
    constraints: list[dict[str, Any]] = Field(description="what holds in its maps, as in requests")
    objects: list[str] = Field(description="names of what is laid over tiles")
    atlas: AtlasAnswer
    voxels: VoxelAnswer | None = Field(default=None, description="of cubes")


class TablesAnswer(BaseModel):
    """A tile set as its file has it."""

    tables: dict[str, Any] = Field(
        description="of the TOML file, but `tiles` is a list of tables, each with its `name`"
    )
    files: dict[str, str] = Field(description="pictures that the tables name, in base64")


class UploadOptions(Body):
    """How an upload is read. Which options there are depends on what it is.

    Pictures have the options of `wavefold.learn`; other files those of `TileSet.load`.
    """

    model_config = Body.model_config | {"strict": False}  # all values in a query are text

    name: OneLine | None = Field(default=None, description="in place of the name that the file gives")
    n: Annotated[int, Field(ge=1, le=LARGEST_WINDOW)] | None = Field(
        default=None, description="pictures: the side of a window"
    )
    symmetry: Annotated[int, Field(ge=1, le=8)] | Literal["auto"] | None = Field(
        default=None, description="pictures: how many mirror images and turns of a window are counted"
    )
    periodic: bool | None = Field(default=None, description="whether opposite edges of the sample touch")
    ground: bool | None = Field(default=None, description="pictures: the last pattern is for the bottom row")
    scale: Annotated[int, Field(ge=1, le=LARGEST_SCALE)] | Literal["auto"] | None = Field(
        default=None, description="pictures: pixels drawn for one"
    )
    colours: Annotated[int, Field(ge=1, le=MOST_COLOURS)] | None = Field(
        default=None, description="pictures: reduce them to this many colours"
    )
    without: Annotated[str, Field(pattern=r"^\d{1,7}(,\d{1,7})*$", max_length=MOST_LETTERS)] | None = Field(
        default=None, description="pictures: numbers of patterns to leave out, separated by commas"
    )
    subset: OneLine | None = Field(default=None, description="mxgmn's .xml: the name of a subset")
    wangset: OneLine | None = Field(default=None, description="Tiled's tile sets: the name of a Wang set")
    layer: OneLine | None = Field(default=None, description="Tiled's maps: the name of a layer")


class AuditRequest(Body):
    """How thorough an audit is, and how long it may take."""

    deep: bool = Field(default=False, description="a thorough audit, which takes minutes instead of seconds")
    ms: Annotated[float, Field(gt=0)] | None = Field(
        default=None,
        description="milliseconds it may take; the server's limit if not given",
        examples=[20000],
    )
