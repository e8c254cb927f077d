"""`wavefold serve`: maps and endless worlds over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from wavefold.cli import options as cli
from wavefold.errors import ConfigError

MISSING = "the service needs more packages; install them with: pip install 'wavefold[service]'"


@cli.app.command(
    epilog="Example: wavefold serve --data ./wavefold-data\n\n"
    "wavefold serve --data /var/lib/wavefold --host 0.0.0.0 --allow-host maps.example.org"
)
def serve(
    data: Annotated[Path, typer.Option(help="The folder for tile sets, worlds and results.")] = Path(
        "wavefold-data"
    ),
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0: any free port.")] = 8317,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, help="Threads that solve.", show_default="one per core")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A host name clients may use; repeatable.", show_default=False),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL", help="A web site whose pages may call it; repeatable.", show_default=False
        ),
    ] = None,
) -> None:
    """Serve maps, worlds and patchworks over HTTP, until interrupted."""
    try:
        from wavefold.service.serving import run_server
        from wavefold.service.settings import LOCAL_HOSTS, ServiceSettings
    except ModuleNotFoundError as error:
        raise ConfigError(f"{MISSING} ({error.name} is missing)") from error
    given: dict[str, Any] = {} if workers is None else {"workers": workers}
    hosts, origins = (*LOCAL_HOSTS, *(allow_host or ())), tuple(allow_origin or ())
    run_server(ServiceSettings(data=data, host=host, port=port, hosts=hosts, origins=origins, **given))
