"""What can be set for a server: addresses, threads and limits. Refusals name the limit."""

from __future__ import annotations

import os
from ipaddress import ip_address
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")


class Limits(BaseModel):
    """The most that one request, or all together, may take."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    body_bytes: int = Field(default=1 << 20, ge=1, description="of a request that is not an upload")
    upload_bytes: int = Field(default=16 << 20, ge=1, description="of an uploaded tile set or picture")
    unpacked_bytes: int = Field(default=64 << 20, ge=1, description="of all files in an uploaded archive")
    pixels: int = Field(default=1 << 24, ge=1, description="of a picture, uploaded or drawn")
    patterns: int = Field(default=4_096, ge=1, description="of an uploaded or learned tile set")
    cells: int = Field(default=1 << 20, ge=1, description="of a map or an exported region")
    quick_cells: int = Field(
        default=1 << 14, ge=0, description="of a map that is answered at once; larger ones become jobs"
    )
    sweeps: int = Field(default=1_000, ge=0, description="of refining a map")
    memory_bytes: int = Field(default=1 << 30, ge=1, description="of a map while it is solved, estimated")
    quick_seconds: float = Field(default=10.0, gt=0, description="for whatever a client waits for")
    job_seconds: float = Field(default=600.0, gt=0, description="for a job in the background")
    queue: int = Field(default=256, ge=1, description="requests that wait for a thread")
    jobs: int = Field(default=256, ge=1, description="jobs that wait or run")
    stored_solves: int = Field(default=10_000, ge=1, description="finished maps; the oldest are dropped")
    tilesets: int = Field(default=200, ge=0, description="uploaded tile sets")
    worlds: int = Field(default=1_000, ge=0, description="stored worlds")
    open_worlds: int = Field(default=16, ge=1, description="worlds in memory; others are opened when needed")
    patchworks: int = Field(default=1_000, ge=0, description="stored patchworks")
    live_sessions: int = Field(default=32, ge=0, description="WebSocket sessions with a solver of their own")
    cache_bytes: int = Field(default=128 << 20, ge=0, description="of encoded pictures in memory")


class ServiceSettings(BaseModel):
    """How a server runs.

    hosts : names that the Host header may have; by default those of this machine
    origins : other web sites that may call the service from a browser (CORS); none by default
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: Path
    host: str = "127.0.0.1"
    port: int = Field(default=8317, ge=0, le=65_535)
    workers: int = Field(default_factory=lambda: max(2, os.cpu_count() or 2), ge=1, le=256)
    hosts: tuple[str, ...] = LOCAL_HOSTS
    origins: tuple[str, ...] = ()
    limits: Limits = Limits()


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach this address."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
