"""`wavefold keys`: the API keys of a server, also while it runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from wavefold.cli import AsJson, ConfigFile, create_command, note, open_console, print_json, print_table
from wavefold.errors import ConfigError
from wavefold_server.commands.serve import DataFolder

if TYPE_CHECKING:
    from wavefold_server.keys import ApiKeys

keys = create_command(
    help="Create, list and revoke the API keys of a server, also while it runs.",
    epilog="Example: wavefold keys create game --scope read",
    no_args_is_help=True,
)

KeyName = Annotated[str, typer.Argument(help="What to call the key: who uses it.", metavar="NAME")]


@keys.command(epilog="Example: wavefold keys create game --scope read --data ./wavefold-data")
def create(
    name: KeyName,
    scope: Annotated[str, typer.Option(metavar="read|write", help="What it allows.")] = "read",
    data: DataFolder = None,
    config: ConfigFile = None,
) -> None:
    """Create a key and print it. It is stored as a hash, so it cannot be shown again."""
    with open_keys(data, config, create=True) as stored:
        key = stored.create(name, scope)
    typer.echo(key)
    note(f"the key {name!r} ({scope}) is not shown again; send it as 'Authorization: Bearer KEY'")


@keys.command("list", epilog="Example: wavefold keys list --json")
def list_keys(as_json: AsJson = False, data: DataFolder = None, config: ConfigFile = None) -> None:
    """List the keys: names, scopes and when they were created. The keys themselves are not stored."""
    with open_keys(data, config) as stored:
        found = stored.list()
    rows = [
        (each["name"], each["scope"], datetime.fromtimestamp(each["created"]).astimezone()) for each in found
    ]
    if as_json:
        print_json([{"name": name, "scope": scope, "created": at.isoformat()} for name, scope, at in rows])
    elif not rows:
        note("there are no keys: every program on this machine can use the server, and no other")
    else:
        shown = [(name, scope, f"{at:%Y-%m-%d %H:%M}") for name, scope, at in rows]
        print_table(open_console(), "", ("name", "scope", "created"), shown, len(shown))


@keys.command(epilog="Example: wavefold keys revoke game")
def revoke(name: KeyName, data: DataFolder = None, config: ConfigFile = None) -> None:
    """Revoke a key: requests with it are refused at once."""
    with open_keys(data, config) as stored:
        stored.revoke(name)
        is_last = not stored.exist
    note(f"the key {name!r} is revoked")
    if is_last:
        note("it was the last key: a running server refuses all requests until you create another")


@contextmanager
def open_keys(data: DataFolder, config: ConfigFile, create: bool = False) -> Iterator[ApiKeys]:
    """The keys of the data folder, which must exist unless a key is to be created."""
    from wavefold.config import load_config
    from wavefold_server.database import Database
    from wavefold_server.keys import ApiKeys
    from wavefold_server.settings import ServiceSettings

    effective = load_config(config, flags={"service.data": None if data is None else str(data)})
    folder = ServiceSettings.from_config(effective).data
    if not create and not (folder / "wavefold.db").exists():
        raise ConfigError(f"{str(folder)!r} is not a data folder of a server; name one with --data")
    database = Database(folder)
    try:
        yield ApiKeys(database)
    finally:
        database.close()
