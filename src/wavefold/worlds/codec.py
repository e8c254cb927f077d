"""Convert worlds to entries of a store and back: header, tiles, fields, edits, chunks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold._version import CHUNK_VERSION, __version__
from wavefold.constraints.tables import build_constraint, tabulate_constraint
from wavefold.errors import WavefoldError, WorldError
from wavefold.fields import Fields
from wavefold.formats.sections import decode_fields, decode_tiles, encode_fields, encode_tiles, hash_limits
from wavefold.options.groups import MOST_SWEEPS
from wavefold.options.values import parse_integer
from wavefold.solver import Shares
from wavefold.storage.sections import (
    EDITS,
    FIELDS,
    REFINE,
    TILES,
    Section,
    check_sections,
    parse_limited_json,
)
from wavefold.tiles import TileSet
from wavefold.worlds.base import plane_cache_key
from wavefold.worlds.edits.edit import Edit, Wanted
from wavefold.worlds.refined_base import digest_refined
from wavefold.worlds.roads import RoadNetwork, build_network
from wavefold.worlds.window_solver import Refining

if TYPE_CHECKING:
    from wavefold.worlds.world import World


HEADER = Section("world", ("world",))
SECTIONS = (HEADER, TILES, FIELDS, EDITS, REFINE)


class Description(NamedTuple):
    """Everything that defines a world, except its edits."""

    content_version: int
    tiles: TileSet
    seed: int
    chunk: int
    radius: int
    half_width: int
    fields: Fields | None
    pins: Wanted | None
    refining: Refining | None
    network: RoadNetwork | None
    constraints: tuple[Any, ...]


def encode_description(world: World, pins: Wanted | None) -> dict[str, bytes]:
    """{entry: bytes}; the header identifies the contents of all others by their digests."""
    plan, fields = world.plan, world.fields
    field_entries = {} if fields is None else encode_fields(fields)  # first: its errors say what to do
    header = {
        "content_version": CHUNK_VERSION,
        "wavefold": __version__,
        "seed": world.seed,
        "chunk": plan.chunk,
        "radius": plan.radius,
        "half_width": plan.half_width,
        "rules": plane_cache_key(world.tiles),
        "fields": None if fields is None else fields.digest,
        "limits": None if fields is None else hash_limits(world.tiles),
        "pins": None if pins is None else Edit(pins, {}, 0).to_dict()["wanted"],
    }
    refine_entries = encode_refining(world.parts.refining)
    if refine_entries:
        header["refine"] = sha256(b"".join(refine_entries.values())).hexdigest()
        header["asked"] = digest_refined(world.tiles)
    if world.network is not None:
        header["network"] = encode_network(world.network)
    if world.constraints:
        header["constraints"] = [tabulate_constraint(each) for each in world.constraints]
    return {
        "world": json.dumps(header).encode(),
        **encode_tiles(world.tiles),
        **field_entries,
        **refine_entries,
    }


def decode_description(entries: Mapping[str, bytes], path: Path, tiles: TileSet | None = None) -> Description:
    """Inverse of `encode_description`. Given tiles with the same rules replace those of the file."""
    is_own = tiles is None
    header = decode_header(entries)
    check_sections(entries, SECTIONS, path, WorldError, header.get("wavefold"))
    try:
        if tiles is None:
            tiles = decode_tiles(entries)
        pins, has_its_rules = header["pins"], plane_cache_key(tiles) == header["rules"]
        found = Description(
            **{name: header[name] for name in ("content_version", "seed", "chunk", "radius", "half_width")},
            tiles=tiles,
            fields=decode_fields(entries),
            refining=decode_refining(entries, len(tiles)) if has_its_rules else None,
            network=build_network(header["network"]) if header.get("network") else None,
            constraints=tuple(build_constraint(each) for each in header.get("constraints", ())),
            pins=None if pins is None else Edit.from_dict({"wanted": pins, "settled": [], "reach": 0}).wanted,
        )
    except KeyError as error:
        raise WorldError(f"{path}: {error} is missing from the world header") from error
    except (TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise WorldError(f"{path}: the world header is not valid: {error!r}") from error
    except WavefoldError as error:
        raise WorldError(f"wavefold {__version__} cannot read {path}: {error}") from error
    if not has_its_rules:
        whose = f"in it, which wavefold {header.get('wavefold')} wrote," if is_own else "given"
        raise WorldError(
            f"{path}: the tiles {whose} have other rules than the world was made with (this is wavefold "
            f"{__version__})"
        )
    if found.refining is not None and digest_refined(tiles) != header.get("asked"):
        raise WorldError(f"{path}: the tiles have other shares or activities than when the world was made")
    if header.get("limits") is not None and hash_limits(tiles) != header["limits"]:
        raise WorldError(f"{path}: the tiles have other limits for fields than when the world was made")
    return found


def decode_header(entries: Mapping[str, bytes]) -> dict[str, Any]:
    """The content of the entry "world". Raises WorldError on malformed JSON."""
    try:
        return dict(parse_limited_json(entries["world"]))
    except (TypeError, ValueError) as error:
        raise WorldError(f"the header of the world is not valid JSON: {error}") from error


def encode_refining(refining: Refining | None) -> dict[str, bytes]:
    """{entry: bytes} of the settings of refining; empty for a world that is not refined."""
    if refining is None:
        return {}
    shares = None if refining.shares is None else list(refining.shares.shares.items())
    settings = {"sweeps": refining.sweeps, "shares": shares, "solve": refining.solve}
    try:
        return {
            "refine": json.dumps(settings).encode(),
            "activities": json.dumps(refining.activities.tolist()).encode(),
        }
    except TypeError as error:
        raise WorldError(f"a world with these shares cannot be saved, name tiles by text: {error}") from None


def encode_network(network: RoadNetwork) -> dict[str, Any]:
    """A network as JSON data: with lists for tuples, so that it equals the decoded data."""
    try:
        found: dict[str, Any] = json.loads(json.dumps(network.to_dict()))
    except TypeError as error:
        raise WorldError(f"a world with this network cannot be saved, name sides by text: {error}") from None
    return found


def decode_refining(entries: Mapping[str, bytes], patterns: int) -> Refining | None:
    """Inverse of `encode_refining`. Raises ValueError, KeyError or TypeError for invalid data."""
    if "refine" not in entries:
        return None
    settings = parse_limited_json(entries["refine"])
    shares = settings["shares"]
    activities = np.array(parse_limited_json(entries["activities"]), np.int64)
    sweeps = parse_integer(settings["sweeps"])
    if activities.shape != (patterns,) or sweeps is None or not 1 <= sweeps <= MOST_SWEEPS:
        raise ValueError(f"refining with {settings['sweeps']!r} sweeps and {activities.size} activities")
    asked = None if shares is None else Shares(dict(shares))
    return Refining(sweeps, activities, asked, bool(settings["solve"]))


def decode_identity(entries: Mapping[str, bytes]) -> dict[str, Any]:
    """The header without the version of its writer: equal for equal worlds."""
    return {name: value for name, value in decode_header(entries).items() if name != "wavefold"}


def check_version(entries: Mapping[str, bytes], path: Path, migrate: bool = False) -> None:
    """Raise WorldError unless this version generates the same chunks as the version that wrote the file.

    With `migrate`, the file may be older.
    """
    version = decode_header(entries).get("content_version")
    if not isinstance(version, int) or version > CHUNK_VERSION:
        raise WorldError(
            f"{path} was made by a newer wavefold: its content has version {version}, and this one makes "
            f"version {CHUNK_VERSION}, in which the same seed gives other chunks. Install the newer one"
        )
    if version < CHUNK_VERSION and not migrate:
        raise WorldError(
            f"{path} was made by an older wavefold: its content has version {version}, and this one makes "
            f"version {CHUNK_VERSION}, in which the same seed gives other chunks. World.open(path, "
            "migrate=True) takes over seed, tiles and requests of edits, and generates every chunk again"
        )


def check_same(here: Mapping[str, bytes], there: Mapping[str, bytes], path: Path) -> None:
    """Raise WorldError if a file contains another world than the one to save."""
    one, other = decode_identity(here), decode_identity(there)
    differ = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    if differ:
        raise WorldError(
            f"{path} contains a different world (it differs in {', '.join(differ)}); choose another file, "
            "or open it with World.open"
        )


def encode_edit(edit: Edit) -> bytes:
    """An entry of the log, as JSON."""
    return json.dumps(edit.to_dict(), ensure_ascii=False).encode()


def decode_edit(data: bytes) -> Edit:
    """Inverse of `encode_edit`. Raises WorldError on malformed JSON."""
    try:
        return Edit.from_dict(parse_limited_json(data))
    except ValueError as error:
        raise WorldError(f"an entry of the log of edits is not valid JSON: {error}") from error


def encode_chunk(chunk: NDArray[np.int32]) -> bytes:
    """The patterns of a chunk, row by row, as little-endian int32."""
    return chunk.astype("<i4").tobytes()


def decode_chunk(data: bytes, side: int, patterns: int) -> NDArray[np.int32] | None:
    """Inverse of `encode_chunk`, read-only; None if it cannot be a chunk of this size and tile set."""
    if len(data) != 4 * side * side:
        return None
    chunk = np.frombuffer(data, "<i4").astype(np.int32).reshape(side, side)
    if chunk.min() < 0 or chunk.max() >= patterns:
        return None
    chunk.flags.writeable = False
    return chunk
