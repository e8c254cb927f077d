"""The bundled tile sets: ordinary files in the package, which are read without checks.

Tests compare them with the result of the ordinary reader. Loading a bundled set does not import Pydantic, and
cuts out pictures only when they are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from wavefold.formats.sheet import Cell, Sheet, StoredSheet
from wavefold.formats.toml.document import Document, freeze_lists
from wavefold.formats.toml.pictures import Gallery, count_nesting
from wavefold.formats.toml.reader import build_drawn_set
from wavefold.storage.files import AnyFile
from wavefold.tiles import Art, Pattern, Pixels, TileSet, get_ring
from wavefold.tiles.orientation import parse_symmetry

if TYPE_CHECKING:
    from wavefold.formats.toml.models import FileTable, SheetTable, TileTable

FOLDER = Path(str(files("wavefold"))) / "data" / "tilesets"


def load_bundled(name: str) -> TileSet:
    """Load the bundled tile set of this name."""
    document = Document(FOLDER / f"{name}.toml")
    constraints = document.data.pop("constraints", [])
    file = cast("FileTable", PlainFile(document.data))
    tiles = build_drawn_set(document, file, StoredGallery(document.source, file.topology))
    tiles.constraints = partial(build_constraints, constraints)
    return tiles


def build_constraints(tables: list[dict[str, Any]]) -> tuple[Any, ...]:
    """Build constraints from their tables."""
    if not tables:
        return ()
    from wavefold.constraints.tables import build_constraint  # loads the solver

    return tuple(map(build_constraint, tables))


@dataclass(frozen=True, slots=True)
class BundledSet:
    """A bundled tile set by name; calling it loads the set."""

    name: str

    def __call__(self) -> TileSet:
        return load_bundled(self.name)

    @property
    def description(self) -> str:
        """The description in its file."""
        return str(Document(FOLDER / f"{self.name}.toml").data.get("description", ""))


blocks = BundledSet("blocks")
castle = BundledSet("castle")
circuit = BundledSet("circuit")
dungeon = BundledSet("dungeon")
knots = BundledSet("knots")
meadow = BundledSet("meadow")
medieval = BundledSet("medieval")
pipes = BundledSet("pipes")
terrain = BundledSet("terrain")


# --- tables -------------------------------------------------------------------------------------


class PlainSheet:
    """[sheet] or [flat_sheet], unchecked: the keys and defaults of `models.SheetTable`."""

    file: str
    size: tuple[int, int]
    margin = spacing = 0

    def __init__(self, data: dict[str, Any]) -> None:
        vars(self).update(freeze_lists(data))


class PlainTile:
    """[tiles.NAME], unchecked: the keys and defaults of `models.TileTable`."""

    sockets: Any = None
    weight: float = 1.0
    weights: Any = None
    symmetry: Any = "fixed"
    at = model = picture = colour = flat_at = value = None
    levels: int | None = None
    rises: Any = ()
    apart = False
    meets: Any = ()
    limits: Any = {}  # noqa: RUF012 - never changed

    def __init__(self, data: dict[str, Any]) -> None:
        vars(self).update(freeze_lists(data), weight=float(data.get("weight", 1.0)))


class PlainObject:
    """[objects.NAME], unchecked: the keys and defaults of `models.ObjectTable`."""

    picture = cut = None

    def __init__(self, data: dict[str, Any]) -> None:
        vars(self).update(freeze_lists(data))
        self.model_fields_set = {*data}


class PlainRefine:
    """[refine], unchecked: the keys and defaults of `models.RefineTable`."""

    sweeps: int | None = None
    digest = ""
    seeds = rounds = 0
    size: Any = ()
    shares: Any = {}  # noqa: RUF012 - never changed

    def __init__(self, data: dict[str, Any]) -> None:
        vars(self).update(freeze_lists(data))


class PlainFile:
    """The whole file, unchecked: the keys and defaults of `models.FileTable` for drawn sets."""

    topology = "square"
    description = ""
    levels = 1
    size = order = sheet = flat_sheet = touching = learned = activities = None
    refine: Any = None
    beside: Any = ()
    constraints = ()  # see `load_bundled`
    groups: Any = {}  # noqa: RUF012 - never changed
    reached: Any = {}  # noqa: RUF012
    objects: Any = {}  # noqa: RUF012

    def __init__(self, data: dict[str, Any]) -> None:
        vars(self).update(data)
        vars(self).update({key: PlainSheet(data[key]) for key in ("sheet", "flat_sheet") if key in data})
        if "refine" in data:
            self.refine = PlainRefine(data["refine"])
        self.beside = freeze_lists(data.get("beside", []))
        self.objects = {name: PlainObject(table) for name, table in data.get("objects", {}).items()}
        self.tiles = {name: PlainTile(table) for name, table in data["tiles"].items()}


# --- pictures -----------------------------------------------------------------------------------


class StoredGallery(Gallery):
    """The pictures of a bundled tile set. Lists of cells are cut out of the sheet when drawn."""

    def __init__(self, source: AnyFile, topology: str) -> None:
        super().__init__(source)
        self.topology = topology

    def open(self, table: SheetTable) -> StoredSheet:
        return StoredSheet(self.source.parent / table.file, table.size)

    def art(self, table: TileTable, patterns: int) -> Art | None:
        return self._cut_later(self.sheet, table.at) or super().art(table, patterns)

    def choose_flat_art(self, table: TileTable, patterns: int) -> Art | None:
        return self._cut_later(self.flat_sheet, table.flat_at) or super().choose_flat_art(table, patterns)

    def _cut_later(self, sheet: Sheet | StoredSheet | None, cells: Any) -> CellPictures | None:
        """The pictures in a list of cells; None if it is not a list."""
        if cells is None or count_nesting(cells) == 1 or not isinstance(sheet, StoredSheet):
            return None
        return CellPictures(sheet, cells, self.topology)


@dataclass(frozen=True, slots=True)
class CellPictures:
    """Draws the patterns of one tile from a list of cells, in the order of the patterns."""

    sheet: StoredSheet
    cells: tuple[Cell, ...]
    topology: str

    def __call__(self, pattern: Pattern) -> Pixels:
        tile = pattern.tile
        heights = tile.levels - max(tile.rises, default=0)
        turns = parse_symmetry(tile.symmetry, get_ring(self.topology), tile.name).variants
        return self.sheet.cut(self.cells[turns.index(pattern.orientation) * heights + pattern.level])
