"""Reads wavefold's own tile set files: TOML with a sheet of pictures.

docs/guide/tilesets.md describes the format. Pydantic is imported when a file is read.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wavefold.errors import FormatError, TileSetError, TileSetWarning, suggest
from wavefold.formats.toml.adjacency import ListedTileSet, parse_relations
from wavefold.formats.toml.document import MOST_PATTERNS, OTHER_SIDES, Document
from wavefold.formats.toml.pictures import Gallery, add_objects, list_picture_keys
from wavefold.options.values import fail_limit, parse_colour
from wavefold.storage.files import AnyFile
from wavefold.tiles import Beside, LearnedTileSet, Tile, TileSet, get_ring
from wavefold.tiles.calibration import Calibration
from wavefold.tiles.groups import find_group, parse_groups
from wavefold.tiles.lint import lint
from wavefold.tiles.neighbour_rules import find_side, parse_rules, to_tuple
from wavefold.tiles.orientation import parse_symmetry
from wavefold.tiles.pattern_table import PatternTable
from wavefold.tiles.tile import check_tile
from wavefold.tiles.tileset_arguments import check_shares, check_size
from wavefold.topology import is_plane, list_drawn_directions

if TYPE_CHECKING:
    from wavefold.formats.toml.models import FileTable, TileTable

MOST_CONSTRAINTS = 256


def read_toml(path: str | os.PathLike[str]) -> TileSet:
    """Read the tile set in a TOML file. Warns about likely mistakes with `TileSetWarning`."""
    tiles = load_toml(Path(path))
    for finding in lint(tiles):
        warnings.warn(f"{path}: {finding}", TileSetWarning, stacklevel=4)
    return tiles


def load_toml(source: AnyFile, most_patterns: int = MOST_PATTERNS) -> TileSet:
    """Like `read_toml`, for any kind of file and without warnings; raises early for more patterns."""
    return build_set(Document(source, most_patterns=min(most_patterns, MOST_PATTERNS)))


def build_set(document: Document) -> TileSet:
    """Build the tile set that a document describes. Pictures are in the folder of the document."""
    from wavefold.formats.toml.models import parse_tables

    file = parse_tables(document)
    if file.size is not None:
        document.attempt(lambda: check_size(file.size, file.topology), "size")
    if file.learned is None:
        return build_drawn_set(document, file, Gallery(document.source))
    return build_learned_set(document, file)


def add_constraints(document: Document, file: FileTable, tiles: TileSet) -> None:
    """Add the constraints of the file to a tile set; errors name the table."""
    if not file.constraints:
        return
    if len(file.constraints) > MOST_CONSTRAINTS:
        count = f"there are {len(file.constraints):,} constraints"
        document.fail(f"{count}; at most {MOST_CONSTRAINTS} are allowed", "constraints")
    from wavefold.constraints.tables import build_constraint  # loads the solver

    found = []
    for number, table in enumerate(file.constraints):
        with document.at("constraints", number):
            found.append(build_constraint(dict(table)))
    document.check()
    tiles.constraints = tuple(found)


# --- drawn tiles --------------------------------------------------------------------------------


def build_drawn_set(document: Document, file: FileTable, gallery: Gallery) -> TileSet:
    """Build a set of drawn tiles, with their pictures and rules."""
    drawn = build_tiles(document, file)
    if file.sheet is not None:
        with document.at("sheet"):
            gallery.sheet = gallery.open(file.sheet)
    if file.flat_sheet is not None:
        with document.at("flat_sheet"):
            gallery.flat_sheet = gallery.open(file.flat_sheet)
    document.check()
    tiles = []
    for tile, patterns in drawn:
        table = file.tiles[tile.name]
        picture = flat_picture = None
        with document.at("tiles", tile.name, *list_picture_keys(table)[:1]):
            picture = gallery.art(table, patterns)
        with document.at("tiles", tile.name, "flat_at"):
            flat_picture = gallery.choose_flat_art(table, patterns)
        tiles.append(replace(tile, picture=picture, flat_picture=flat_picture))
    document.check()
    made = build_with_rules(document, file, tiles)
    add_objects(document, file, gallery, made)
    add_constraints(document, file, made)
    return made


def build_tiles(document: Document, file: FileTable) -> list[tuple[Tile, int]]:
    """Build each tile without its picture, and count its patterns."""
    compass, ring = list_drawn_directions(file.topology), get_ring(file.topology)
    drawn = []
    for name, table in file.tiles.items():
        with document.at("tiles", name):
            if table.value is not None:
                raise FormatError("only tiles of a set with a table [learned] may have a value")
            if table.model is not None and is_plane(file.topology):
                raise FormatError("only tiles for cubes may have a model; use a picture")
            if table.flat_at is not None and file.topology != "hex":
                raise FormatError("only tiles for hexagons may have flat_at")
            tile = Tile(
                name,
                list_by_side("sockets", table.sockets, compass, None),
                table.weight,
                table.symmetry,
                levels=file.levels if table.levels is None else table.levels,
                rises=list_by_side("rises", table.rises, compass, 0) or (),
                apart=table.apart,
                limits=table.limits,
                meets=table.meets,
            )
            check_tile(tile, compass, file.topology)
            heights = tile.levels - max(tile.rises, default=0)
            drawn.append((tile, heights * len(parse_symmetry(tile.symmetry, ring, name).variants)))
    document.check()
    check_count(document, sum(patterns for _, patterns in drawn))
    return drawn


def check_count(document: Document, patterns: int) -> None:
    """Raise for too many patterns, before any is built."""
    if patterns > document.most_patterns:
        problem = (
            f"the tiles have {patterns:,} patterns in all orientations and at all heights; "
            f"at most {document.most_patterns:,} can be read"
        )
        fail_limit(document.fail, problem, "patterns", document.most_patterns)


def list_by_side(key: str, value: Any, compass: Sequence[str], default: Any) -> tuple[Any, ...] | None:
    """One value per side, from a value for all sides, a list, or a table by side names."""
    if value is None or isinstance(value, tuple):
        return value
    if not isinstance(value, dict):
        return (value,) * len(compass)
    numbers = [OTHER_SIDES if word == OTHER_SIDES else find_named_side(key, word, compass) for word in value]
    given = dict(zip(numbers, value.values(), strict=True))
    sides = [given.get(side, given.get(OTHER_SIDES, default)) for side in range(len(compass))]
    if len(given) < len(value):
        raise FormatError(f"{key} names one side twice, by its name and by its initials")
    if None in sides:
        missing = compass[sides.index(None)]
        raise FormatError(f"{key} has no value for the {missing} side; add it, or {OTHER_SIDES} = …")
    return tuple(sides)


def find_named_side(key: str, word: str, compass: Sequence[str]) -> int:
    """The index of a side; the error names the key."""
    try:
        return find_side(word, compass)
    except TileSetError as error:
        raise FormatError(f"{key}: {error}") from None


def build_with_rules(document: Document, file: FileTable, tiles: list[Tile]) -> TileSet:
    """Build the tile set and compile its rules; errors name the place in the file."""
    rules = [Beside(**dict(rule)) for rule in file.beside]
    for number, rule in enumerate(rules):
        with document.at("beside", number):
            parse_rules([rule])
    document.check()
    check_groups(document, file, tiles)
    made = document.attempt(
        lambda: TileSet(
            tiles,
            file.topology,
            file.name,
            beside=rules,
            groups=file.groups,
            description=file.description,
            size=file.size,
            order=file.order,
            sweeps=None if file.refine is None else file.refine.sweeps,
            calibration=parse_calibration(file),
        )
    )
    if file.refine is not None and file.refine.shares:
        asked, names = file.refine.shares, made.pattern_table.build_rules([])
        made.shares = document.attempt(lambda: check_shares(asked, names), "refine", "shares")
    listed = None if file.touching is None else parse_relations(document, file.touching, made)
    weights = read_pattern_weights(document, file, made)
    if listed is not None or weights is not None:
        made = ListedTileSet(made, listed, weights)
    compile_rules(document, made)
    check_activities(document, made)
    return made


def check_activities(document: Document, tiles: TileSet) -> None:
    """Raise for an activity of an unknown tile, unless the tiles changed since: then all are stale."""
    found = tiles.calibration
    for name in () if found is None else found.activities:
        if name not in tiles.rules.tiles and found is not None and found.fits(tiles):
            hint = suggest(name, tiles.rules.tiles)
            document.fail(f"there is no tile {name!r}; {hint}", "activities", name)


def parse_calibration(file: FileTable) -> Calibration | None:
    """The calibration in a file, or None."""
    if file.activities is None:
        return None
    about = file.refine
    return Calibration(
        activities=file.activities,
        digest="" if about is None else about.digest,
        seeds=0 if about is None else about.seeds,
        rounds=0 if about is None else about.rounds,
        size=() if about is None else about.size,
        reached={tile: (asked, seen) for tile, (asked, seen) in file.reached.items()},
    )


def check_groups(document: Document, file: FileTable, tiles: list[Tile]) -> None:
    """Raise for an invalid group; errors name its line."""
    if not file.groups:
        return
    names = document.attempt(lambda: PatternTable(tiles, file.topology).build_rules([]))
    groups = document.attempt(lambda: parse_groups(file.groups), "groups")
    for group in groups:
        with document.at("groups", group):
            find_group(group, groups, names)
    document.check()


def compile_rules(document: Document, tiles: TileSet) -> None:
    """Compile the rules now, so that errors can name the line of the neighbour rule."""
    try:
        _ = tiles.rules
    except (TileSetError, FormatError) as error:
        for number in list_suspect_rules(tiles):
            with document.at("beside", number):
                _ = TileSet(
                    tiles.tiles, tiles.topology, beside=[tiles.beside[number]], groups=tiles.groups
                ).rules
        document.check()
        document.fail(str(error))


def read_pattern_weights(document: Document, file: FileTable, tiles: TileSet) -> list[float] | None:
    """[pattern] the weights, or None if no tile lists weights for its patterns."""
    if all(table.weights is None for table in file.tiles.values()):
        return None
    found: list[float] = []
    patterns = Counter(pattern.tile.name for pattern in tiles.patterns)
    for name, table in file.tiles.items():
        weights = table.weights or (table.weight,) * patterns[name]
        with document.at("tiles", name, "weights"):
            if len(weights) != patterns[name]:
                raise FormatError(
                    f"there are {len(weights)} weights, but the tile has {patterns[name]} patterns"
                )
        found += weights
    document.check()
    return found


def list_suspect_rules(tiles: TileSet) -> Iterable[int]:
    """The neighbour rules with a word that is not a plain name, which may be a mistake."""
    known = {tile.name for tile in tiles.tiles} | {pattern.name for pattern in tiles.patterns}
    known |= {*tiles.groups}
    for number, rule in enumerate(tiles.beside):
        here, there, sides = to_tuple(rule.here), to_tuple(rule.there), to_tuple(rule.sides)
        if not here or not there or {*here, *there} - known or set(sides) - set(tiles.directions):
            yield number


# --- learned tiles ------------------------------------------------------------------------------


def build_learned_set(document: Document, file: FileTable) -> LearnedTileSet:
    """Build a set of patterns that were learned from samples."""
    assert file.learned is not None
    sheets = file.sheet or file.flat_sheet
    if file.activities is not None:
        document.fail("a learned set must not have activities, which are computed for each map", "activities")
    if file.refine is not None and file.refine.shares:
        document.fail("a learned set must not have shares; use wf.Shares", "refine", "shares")
    if file.touching is None or file.beside or sheets or file.groups or file.topology != "square":
        document.fail(
            "a learned set must have square cells and [touching], but no [[beside]], [groups] or [sheet]"
        )
    check_count(document, len(file.tiles))
    coloured = any(table.colour is not None for table in file.tiles.values())
    values = []
    for name, table in file.tiles.items():
        with document.at("tiles", name):
            values.append(read_learned_value(table, coloured))
    document.check()
    plain = document.attempt(lambda: TileSet([Tile(name) for name in file.tiles]))  # only for its names
    relations = parse_relations(document, file.touching, plain)
    made = LearnedTileSet(
        list(file.tiles),
        values,
        [table.weight for table in file.tiles.values()],
        relations,
        coloured=coloured,
        title=file.name,
        order=file.order,
        **dict(file.learned),
    )
    made.description, made.size = file.description, file.size
    made.sweeps = None if file.refine is None else file.refine.sweeps
    compile_rules(document, made)
    add_objects(document, file, Gallery(document.source), made)
    add_constraints(document, file, made)
    return made


def read_learned_value(table: TileTable, coloured: bool) -> Any:
    """The value of a learned pattern: a colour or another value."""
    wanted = "colour" if coloured else "value"
    for key in table.model_fields_set - {"weight", wanted}:
        raise FormatError(f"a tile of this learned set may have a weight and a {wanted}, but no {key}")
    value = getattr(table, wanted)
    if value is None or isinstance(value, tuple):
        raise FormatError(f"a tile of this learned set needs a {wanted}")
    return tuple(parse_colour(value) or b"") if coloured else value
