"""Commands of other packages, our server's among them: entry points of the group `wavefold.commands`.

Help lists them without importing them. One is loaded when it is run, and parses its own arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import typer
from typer.core import TyperCommand

from wavefold.cli.options import app
from wavefold.errors import PluginError, describe_error
from wavefold.plugins.registry import find_plugin, find_plugins

UNAVAILABLE = 1  # the exit code of a command that cannot be loaded

# Commands of the distribution wavefold-server, which may be missing.
SERVER_COMMANDS = {
    "serve": "Serve maps, worlds and patchworks over HTTP, until interrupted.",
    "studio": "Open the studio in the browser: draw tiles and pictures, watch the solver, explore worlds.",
    "keys": "Create, list and revoke the API keys of a server, also while it runs.",
}
EXTRAS = {"serve": "service", "studio": "studio", "keys": "service"}


class OtherCommand(TyperCommand):
    """Leaves all arguments, `--help` and `--` too, to the command of another package."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Keep the arguments for `make_command`."""
        ctx.args = list(args)
        return ctx.args


def add_commands() -> None:
    """Add the commands of other packages; names of ours are taken."""
    ours = {each.name or each.callback.__name__ for each in app.registered_commands if each.callback}
    ours |= {str(each.name) for each in app.registered_groups}
    others = {plugin.name for plugin in find_plugins("command")} - ours
    for name, summary in SERVER_COMMANDS.items():
        app.command(name, help=summary, cls=OtherCommand)(make_command(name, name in others))
    for name in sorted(others - SERVER_COMMANDS.keys()):
        summary = f"From the package {find_plugin('command', name).origin}."
        app.command(name, help=summary, cls=OtherCommand)(make_command(name, is_installed=True))


def make_command(name: str, is_installed: bool) -> Callable[[typer.Context], None]:
    """A command that loads the one of another package and runs it with the same arguments."""

    def run(context: typer.Context) -> None:
        if not is_installed:
            fail(f"{name} needs the server, which is not installed: pip install 'wavefold[{EXTRAS[name]}]'")
        plugin = find_plugin("command", name)
        try:
            command = typer.main.get_command(plugin.load())
        except PluginError as error:
            fail(str(error))
        except Exception as error:  # Typer reads commands and their parameters only now
            fail(str(plugin.refuse(f"Typer raised {describe_error(error)}")))
        with command.make_context(name, context.args, parent=context.parent) as inner:
            command.invoke(inner)  # ends by `typer.Exit` if it has an exit code

    return run


def fail(message: str) -> NoReturn:
    """Print one line, and end this command."""
    typer.echo(f"wavefold: {message}", err=True)
    raise typer.Exit(UNAVAILABLE)
