"""`wavefold serve`: maps and endless worlds over HTTP; `wavefold studio`: the same, in the browser."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from wavefold.cli import ConfigFile, create_command
from wavefold.errors import ConfigError

DataFolder = Annotated[
    Path | None,
    typer.Option(
        "--data", help="The folder for tile sets, worlds and results.", show_default="wavefold-data"
    ),
]


serve_command = create_command()
studio_command = create_command()


@serve_command.command(
    epilog="Example: wavefold serve --data ./wavefold-data\n\n"
    "wavefold serve --data /var/lib/wavefold --host 0.0.0.0 --allow-host maps.example.org"
)
def serve(
    data: DataFolder = None,
    host: Annotated[
        str | None,
        typer.Option(help="The address to listen on; others need API keys.", show_default="127.0.0.1"),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="0: any free port.", show_default="8317")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, help="Threads that solve.", show_default="one per core")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A host name that clients may use; repeatable.", show_default=False
        ),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL", help="A web site whose pages may call it; repeatable.", show_default=False
        ),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Change a limit; repeatable.", show_default=False),
    ] = None,
    log_format: Annotated[
        str | None,
        typer.Option(metavar="text|json", help="Of the log.", show_default="text on a terminal, else json"),
    ] = None,
    otel: Annotated[bool, typer.Option("--otel", help="Send OpenTelemetry spans.")] = False,
    insecure_no_keys: Annotated[
        bool,
        typer.Option(
            "--insecure-no-keys",
            help="Let ANYBODY who can connect use the server. "
            "Only behind a proxy that authenticates clients.",
        ),
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Serve maps, worlds and patchworks over HTTP, until interrupted."""
    flags = {
        "data": None if data is None else str(data),
        "host": host,
        "port": port,
        "workers": workers,
        "allow_hosts": allow_host or None,
        "allow_origins": allow_origin or None,
        "require_keys": False if insecure_no_keys else None,
        "log_format": log_format,
        "otel": otel or None,
        "limits": parse_limits(limit or ()) or None,
    }
    run(config, flags)


@studio_command.command(epilog="Example: wavefold studio\n\nwavefold studio --data ./my-maps --no-browser")
def studio(
    data: DataFolder = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="0: any free port.", show_default="8317")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
    config: ConfigFile = None,
) -> None:
    """Open the studio in the browser: draw tiles and pictures, watch the solver, wander through worlds."""
    import webbrowser

    def show(address: str) -> None:
        if browser:
            webbrowser.open(f"{address}/studio/")

    # Without lines about requests: a page loads hundreds of files, and the address would scroll away.
    run(config, {"data": None if data is None else str(data), "port": port}, show, log_requests=False)


def run(
    config: Path | None,
    flags: dict[str, Any],
    started: Callable[[str], None] | None = None,
    log_requests: bool = True,
) -> None:
    """Serve as configured, with these flags of the section [service]."""
    from wavefold.config import load_config
    from wavefold_server.serving import run_server
    from wavefold_server.settings import ServiceSettings

    effective = load_config(config, flags={f"service.{name}": value for name, value in flags.items()})
    run_server(ServiceSettings.from_config(effective, sys.stderr.isatty()), started, log_requests)


def parse_limits(given: Iterable[str]) -> dict[str, Any]:
    """{name: number} from "cells=1000"; the configuration checks them."""
    limits: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"--limit takes a name and a number, such as cells=1000000, not {text!r}")
        limits[name.strip()] = parse_number(value.strip())
    return limits


def parse_number(text: str) -> int | float | str:
    """A number as it is written; other text as it is, for the message about it."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
