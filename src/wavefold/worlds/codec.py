"""Convert worlds to archives and back: header, tiles, fields, edits, chunks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wavefold._version import CHUNK_VERSION
from wavefold.constraints.tables import build_constraint, tabulate_constraint
from wavefold.errors import WorldError
from wavefold.formats.sections import (
    choose_fields,
    decode_refining,
    encode_parts,
    encode_pins,
    encode_refining,
)
from wavefold.solver import Shares
from wavefold.storage.archive import Archive
from wavefold.storage.parsing import parse_limited_json
from wavefold.tiles import TileSet
from wavefold.worlds.edits.edit import Edit, Wanted
from wavefold.worlds.refined_base import digest_refined
from wavefold.worlds.roads import build_network
from wavefold.worlds.store.database import WORLD
from wavefold.worlds.window_solver import Refining

if TYPE_CHECKING:
    from wavefold.worlds.world import World


def encode_description(world: World, pins: Wanted | None) -> Archive:
    """Encode a world as an archive, whose header has digests of everything that defines the world."""
    plan, refining = world.plan, world.parts.refining
    header, entries = encode_parts(world.tiles, world.fields)
    header |= {
        "content_version": CHUNK_VERSION,
        "seed": world.seed,
        "chunk": plan.chunk,
        "radius": plan.radius,
        "half_width": plan.half_width,
        "pins": None if pins is None else encode_pins(pins),
    }
    if refining is not None:
        shares = None if refining.shares is None else list(refining.shares.shares.items())
        settings = {"shares": shares, "solve": refining.solve}
        header["refine"] = encode_refining(refining.sweeps, refining.activities, **settings)
        header["asked"] = digest_refined(world.tiles)
    if world.network is not None:
        header["network"] = world.network.to_dict()
    if world.constraints:
        header["constraints"] = [tabulate_constraint(each) for each in world.constraints]
    return WORLD.create(header, entries)


def decode_description(archive: Archive, tiles: TileSet) -> tuple[dict[str, Any], Wanted | None]:
    """Return the arguments of `World` and the pins in the result of `encode_description`."""
    header, fields = archive.header, choose_fields(archive, None)
    with archive.decoding():
        pins, refining = header["pins"], decode_world_refining(archive, len(tiles))
        found = {
            **{name: header[name] for name in ("seed", "chunk", "radius", "half_width")},
            "tiles": tiles,
            "fields": fields,
            "refine": refining or False,
            "network": build_network(header["network"]) if header.get("network") else None,
            "constraints": tuple(build_constraint(each) for each in header.get("constraints", ())),
        }
        wanted = None if pins is None else Edit.from_dict({"wanted": pins, "settled": [], "reach": 0}).wanted
    if refining is not None and digest_refined(tiles) != header.get("asked"):
        raise WorldError(
            f"{archive.path}: the tiles have other shares or activities than when the world was made"
        )
    return found, wanted


def decode_world_refining(archive: Archive, patterns: int) -> Refining | None:
    """Return the settings of refining a world; None if it is not refined."""
    settings = archive.header.get("refine")
    if settings is None:
        return None
    shares = None if settings["shares"] is None else Shares(dict(settings["shares"]))
    return Refining(*decode_refining(settings, patterns), shares, bool(settings["solve"]))


def decode_identity(archive: Archive) -> dict[str, Any]:
    """Return the header without its writer and list of entries: equal for equal worlds."""
    return {name: value for name, value in archive.header.items() if name not in ("wavefold", "sections")}


def check_version(archive: Archive, migrate: bool = False) -> None:
    """Raise WorldError unless this version generates the same chunks as the version that wrote the file.

    With `migrate`, the file may be older.
    """
    what = "seed, tiles and requests of edits, and generates every chunk again"
    archive.check_content(CHUNK_VERSION, f"World.open(path, migrate=True) takes over {what}", migrate)


def check_same(here: Archive, there: Archive) -> None:
    """Raise WorldError if a file contains another world than the one to save."""
    one, other = decode_identity(here), decode_identity(there)
    differ = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    if differ:
        raise WorldError(
            f"{there.path} contains a different world (it differs in {', '.join(differ)}); choose another "
            "file, or open it with World.open"
        )


def encode_edit(edit: Edit) -> bytes:
    """Encode an entry of the log as JSON."""
    return json.dumps(edit.to_dict(), ensure_ascii=False).encode()


def decode_edit(data: bytes) -> Edit:
    """Decode the result of `encode_edit`. Raises WorldError on malformed JSON."""
    try:
        return Edit.from_dict(parse_limited_json(data))
    except ValueError as error:
        raise WorldError(f"an entry of the log of edits is not valid JSON: {error}") from error


def encode_chunk(chunk: NDArray[np.int32]) -> bytes:
    """Encode the patterns of a chunk, row by row, as little-endian int32."""
    return chunk.astype("<i4").tobytes()


def decode_chunk(data: bytes, side: int, patterns: int) -> NDArray[np.int32] | None:
    """Decode the result of `encode_chunk`, read-only; None if it is no chunk of this size and tile set."""
    if len(data) != 4 * side * side:
        return None
    chunk = np.frombuffer(data, "<i4").astype(np.int32).reshape(side, side)
    if chunk.min() < 0 or chunk.max() >= patterns:
        return None
    chunk.flags.writeable = False
    return chunk
