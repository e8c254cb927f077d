"""What can be set for a server: addresses, threads and limits. Refusals name the limit."""

from __future__ import annotations

import os
from ipaddress import ip_address
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from wavefold.config import Effective, check_section
from wavefold_server.service_section import Limits, ServiceSection

__all__ = ["LOCAL_HOSTS", "Limits", "ServiceSettings", "is_loopback"]

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
ANY_ADDRESS = ("0.0.0.0", "::", "[::]")
COLLECTOR_VARIABLES = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


class ServiceSettings(BaseModel):
    """How a server runs.

    hosts : names that the Host header may have, in lower case; by default those of this machine
    origins : other web sites that may call the service from a browser (CORS); none by default
    require_keys : whether an address that others can reach needs API keys
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: Path
    host: str = "127.0.0.1"
    port: int = Field(default=8317, ge=0, le=65_535)
    workers: int = Field(default_factory=lambda: max(2, os.cpu_count() or 2), ge=1, le=256)
    hosts: tuple[str, ...] = LOCAL_HOSTS
    origins: tuple[str, ...] = ()
    require_keys: bool = True
    log_format: Literal["text", "json"] = "text"
    otel: bool = False
    limits: Limits = Limits()

    @property
    def needs_keys(self) -> bool:
        """Whether other machines can connect, so that API keys are needed."""
        return self.require_keys and not is_loopback(self.host)

    @classmethod
    def from_config(cls, effective: Effective, on_terminal: bool = False) -> ServiceSettings:
        """The settings that the section [service] describes; `on_terminal` decides on the log's format."""
        section = check_section(effective, "service", ServiceSection)
        own = () if section.host in ANY_ADDRESS else (in_brackets(section.host).lower(),)
        threads = {} if section.workers is None else {"workers": section.workers}
        return cls(
            data=effective.path(section.data, "service", "data"),
            host=section.host.strip("[]"),
            port=section.port,
            hosts=tuple(dict.fromkeys((*LOCAL_HOSTS, *own, *section.allow_hosts))),
            origins=section.allow_origins,
            require_keys=section.require_keys,
            log_format=section.log_format or ("text" if on_terminal else "json"),
            otel=section.otel or any(os.environ.get(name) for name in COLLECTOR_VARIABLES),
            limits=section.limits,
            **threads,
        )


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach this address."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def in_brackets(host: str) -> str:
    """An address as URLs write it: `[::1]`, `127.0.0.1`, `localhost`."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
