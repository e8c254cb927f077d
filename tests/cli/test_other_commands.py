"""Commands of other packages are listed without being imported, and fail by themselves."""

import os

import pytest
from running import done_well, run_apart

from support import install
from wavefold._version import __version__
from wavefold.cli.other_commands import SERVER_COMMANDS, make_command

HELLO = """
import typer

hello = typer.Typer()

@hello.command()
def say(name: str):
    "Say hello."
    print(f"hello {name}")
    raise typer.Exit(7)
"""


@pytest.fixture
def run(tmp_path, site, monkeypatch):
    """Run the command in a process of its own, with the packages of `site`."""
    monkeypatch.setenv("PYTHONPATH", str(site), os.pathsep)
    return lambda *arguments: run_apart(arguments, tmp_path)


def test_a_command_of_another_package_is_listed_and_runs(run, site):
    install(site, "hello-maps", {"commands": {"hello": "hello"}}, HELLO)
    assert "From the package hello-maps 1.0." in done_well(run("--help"))
    assert "Usage: wavefold hello" in done_well(run("hello", "--help"))
    done = run("hello", "you")
    assert (done.returncode, done.stdout) == (7, "hello you\n")
    assert run("hello", "--", "--help").stdout == "hello --help\n"
    message = run("hello").stderr.lower()  # Typer has changed how it writes arguments
    assert message == "wavefold: missing argument 'name'; see wavefold hello --help\n"


def test_what_a_command_returns_is_no_exit_code(run, site):
    code = "import typer\nhello = typer.Typer()\n@hello.command()\ndef count():\n    return 5\n"
    install(site, "hello-maps", {"commands": {"hello": "hello"}}, code)
    assert run("hello").returncode == 0


def test_warnings_and_errors_of_a_command_are_one_line_each(run, site):
    code = """
    import typer, warnings, wavefold
    hello = typer.Typer()

    @hello.command()
    def fail(name: str):
        if name == "broken":
            raise KeyError(name)
        warnings.warn("odd", wavefold.PluginWarning)
        raise wavefold.ConfigError("no maps today")
    """
    install(site, "hello-maps", {"commands": {"hello": "hello"}}, code)
    done = run("hello", "you")
    assert (done.returncode, done.stderr) == (2, "wavefold: warning: odd\nwavefold: no maps today\n")
    done = run("hello", "broken")
    assert done.returncode == 2
    assert done.stderr.startswith("wavefold: the plugin package hello-maps 1.0 failed: KeyError: 'broken'")
    assert done.stderr.count("\n") == 1


def test_plugins_lists_commands_with_their_help(run, site):
    install(site, "hello-maps", {"commands": {"hello": "hello"}}, HELLO)
    install(site, "other-server", {"notebook": {"show": "show"}, "documents": {"read": "show"}}, "show = 1")
    done = run("plugins", "command")
    assert "Say hello." in done_well(done)
    assert "hello-maps 1.0" in done.stdout
    assert "is not read" not in done.stderr


@pytest.mark.parametrize(
    ("code", "requires", "problem"),
    [
        ("raise ImportError('no maps')", (), "loading it raised ImportError: no maps"),
        (HELLO, ("wavefold>=99",), f"it requires wavefold >=99, and this is {__version__}"),
        ("hello = 3", (), "is not a typer.Typer"),
    ],
)
def test_one_that_cannot_be_used_fails_alone(run, site, code, requires, problem):
    install(site, "hello-maps", {"commands": {"hello": "hello"}}, code, requires)
    assert done_well(run("tilesets"))
    done = run("hello", "you")
    assert done.returncode == 1
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1
    assert problem in run("plugins", "command").stderr


def test_one_without_commands_says_so(run, site):
    install(site, "hello-maps", {"commands": {"hello": "hello"}}, "import typer; hello = typer.Typer()")
    done = run("hello", "you")
    assert done.returncode == 1
    start = "wavefold: the command 'hello' of hello-maps 1.0 cannot be used: Typer raised RuntimeError"
    assert done.stderr.startswith(start)
    assert done.stderr.count("\n") == 1


def test_a_name_of_ours_is_not_replaced(run, site):
    install(site, "hello-maps", {"commands": {"tilesets": "hello"}}, HELLO)
    assert "pipes" in done_well(run("tilesets"))


@pytest.mark.parametrize("name", SERVER_COMMANDS)
def test_without_the_server_its_commands_say_what_to_install(name, capsys):
    import typer

    with pytest.raises(typer.Exit) as end:
        make_command(name, is_installed=False)(None)
    assert end.value.exit_code == 1
    message = f"wavefold: {name} needs the server, which is not installed: pip install 'wavefold["
    assert message in capsys.readouterr().err
