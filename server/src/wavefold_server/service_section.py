"""The section [service]: how `wavefold serve` runs, and the limits that its refusals name."""

from __future__ import annotations

import re
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from wavefold.config import ConfigSection, Count

HOST_NAME = re.compile(r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]|\*")


def check_host_name(name: str) -> str:
    """A name in lower case, as Host headers are compared."""
    if not HOST_NAME.fullmatch(name):
        raise ValueError(
            f"{name!r:.80} is not a host name: write it without scheme and port, as 'maps.example.org', "
            "or an IPv6 address in brackets"
        )
    return name.lower().rstrip(".")


def check_origin(origin: str) -> str:
    """An origin as browsers send it: scheme, host and port, without a slash at the end."""
    if origin in ("*", "null"):
        return origin
    try:
        parts = urlsplit(origin)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ValueError(f"{origin!r:.80} is not an origin: write it as 'https://example.org'")
    return f"{parts.scheme}://{parts.netloc.lower()}"


class Limits(ConfigSection):
    """The most that one request, or all together, may take."""

    body_bytes: Count = Field(default=1 << 20, description="of a request that is not an upload")
    upload_bytes: Count = Field(default=16 << 20, description="of an uploaded tile set, picture or document")
    anonymous_bytes: Count = Field(default=4_096, description="of a request for which no key is checked")
    body_values: Count = Field(default=1 << 18, description="in the JSON of a request that is not an upload")
    upload_values: Count = Field(default=1 << 20, description="in the JSON of an upload")
    unpacked_bytes: Count = Field(default=64 << 20, description="of all files in an uploaded archive")
    pixels: Count = Field(default=1 << 24, description="of a picture, uploaded or drawn")
    patterns: Count = Field(default=4_096, description="of an uploaded or learned tile set")
    cells: Count = Field(default=1 << 20, description="of a map or an exported region")
    quick_cells: int = Field(
        default=1 << 14, ge=0, description="of a map that is answered at once; larger ones become jobs"
    )
    sweeps: int = Field(default=1_000, ge=0, description="of refining a map")
    memory_bytes: Count = Field(default=1 << 30, description="of a map while it is solved, estimated")
    field_operations: Count = Field(default=1 << 31, description="of the fields of a map, at all cells")
    quick_seconds: float = Field(default=10.0, gt=0, description="for whatever a client waits for")
    job_seconds: float = Field(default=600.0, gt=0, description="for a job in the background")
    queue: Count = Field(default=256, description="requests that wait for a thread")
    jobs: Count = Field(default=256, description="jobs that wait or run")
    stored_solves: Count = Field(default=10_000, description="finished maps; the oldest are dropped")
    stored_bytes: Count = Field(default=1 << 30, description="of finished maps; the oldest are dropped")
    tilesets: int = Field(default=200, ge=0, description="uploaded tile sets")
    worlds: int = Field(default=1_000, ge=0, description="stored worlds")
    world_drafts: Count = Field(default=8, description="worlds that are drafts; the oldest are removed")
    open_worlds: Count = Field(default=16, description="worlds in memory; others are opened when needed")
    world_seconds: float = Field(
        default=60.0, gt=0, description="to create or open a world: the first one of a tile set takes longest"
    )
    world_chunks: int = Field(
        default=4_096, ge=0, description="stored for each world; others are made again when needed"
    )
    world_bytes: Count = Field(default=256 << 20, description="of chunks in memory, of all open worlds")
    patchworks: int = Field(default=1_000, ge=0, description="stored patchworks")
    patchwork_drafts: Count = Field(
        default=32, description="patchworks that are drafts; the oldest are removed"
    )
    patchwork_grids: Count = Field(default=1_000, description="of one patchwork")
    live_sessions: int = Field(default=32, ge=0, description="WebSocket sessions with a solver of their own")
    live_cells: Count = Field(default=1 << 16, description="of the map of a live session")
    live_messages: Count = Field(
        default=500, description="commands of a live session in a second; more have to wait"
    )
    live_idle_seconds: float = Field(
        default=600.0, gt=0, description="after which a live session without commands is closed"
    )
    cache_bytes: int = Field(default=128 << 20, ge=0, description="of encoded pictures in memory")
    connections: Count = Field(default=1_000, description="open at once; requests on more are answered 503")
    body_seconds: float = Field(
        default=30.0, gt=0, description="that a client may pause while it sends a body or receives an answer"
    )
    idle_seconds: float = Field(
        default=15.0, gt=0, description="that a connection stays open without a request"
    )
    grace_seconds: float = Field(
        default=10.0, ge=0, description="for running requests to finish when the server stops"
    )


class ServiceSection(ConfigSection):
    """How `wavefold serve` runs."""

    data: str = Field(
        default="wavefold-data",
        description="the folder for tile sets, worlds and results; relative to this file",
    )
    host: str = Field(
        default="127.0.0.1", min_length=1, description="the address to listen on; others need API keys"
    )
    port: int = Field(default=8317, ge=0, le=65_535, description="0: any free port")
    workers: Count | None = Field(
        default=None, le=256, description="threads that solve; if not set, one per core, and at least 2"
    )
    allow_hosts: tuple[Annotated[str, AfterValidator(check_host_name)], ...] = Field(
        default=(), strict=False, description="more host names that clients may use, besides this machine's"
    )
    allow_origins: tuple[Annotated[str, AfterValidator(check_origin)], ...] = Field(
        default=(), strict=False, description="web sites whose pages may call the service (CORS)"
    )
    require_keys: bool = Field(
        default=True,
        description="`false`: any address without API keys; only behind a proxy that authenticates clients",
    )
    log_format: Literal["text", "json"] | None = Field(
        default=None, description='`"text"` or `"json"`; if not set, text for terminals, else JSON'
    )
    otel: bool = Field(
        default=False,
        description="send OpenTelemetry spans; also on if `OTEL_EXPORTER_OTLP_ENDPOINT` is set",
    )
    limits: Limits = Field(default=Limits(), description="a table of its own, `[service.limits]`")
