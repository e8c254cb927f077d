"""What users call, as text that can be compared: public names, commands and the operations of the service.

`python tests/guard/interfaces.py` writes the snapshots again, only when an interface is meant to change.
"""

import contextlib
import inspect
import io
import json
import os
import re
from dataclasses import is_dataclass
from importlib.metadata import version
from pathlib import Path
from unittest import mock

import typer

import wavefold as wf
from wavefold.plugins.registry import find, is_offered

FOLDER = Path(__file__).with_name("snapshots")
VERSIONS = FOLDER / "versions.json"


def describe_names():
    """A line for each public name, with its signature, and for each public member of a class."""
    lines = []
    for name in dir(wf):
        value = getattr(wf, name)
        if inspect.isclass(value):
            bases = ", ".join(base.__name__ for base in value.__bases__ if base is not object)
            lines += [f"class {name}({bases})" if bases else f"class {name}", *describe_members(value)]
        elif callable(value):
            lines.append(name + show_signature(value))
        else:
            lines.append(f"{name}: {type(value).__name__}")
    return "\n".join(lines) + "\n"


def describe_members(kind):
    """Signature, attributes and methods of a class; inherited ones are listed where they are defined."""
    members = {name: inspect.getattr_static(kind, name) for name in vars(kind)}
    if is_dataclass(kind) or "__init__" in members or "__new__" in members:
        yield "    __init__" + show_signature(kind)
    for name, value in sorted(members.items()):
        if name.startswith("_"):
            continue
        if isinstance(value, classmethod | staticmethod):
            yield f"    {type(value).__name__} {name}{show_signature(value.__func__)}"
        elif inspect.isfunction(value):
            yield f"    {name}{show_signature(value)}"
        else:
            yield f"    {name}"


def show_signature(function):
    """Parameters and result, without addresses of default objects."""
    try:
        text = str(inspect.signature(function))
    except ValueError:  # written in C
        text = "(...)"
    return re.sub(r"wavefold(\.\w+)*\.(?=\w)|<(\w+) .*? at 0x\w+>", r"\2", text)


def describe_commands():
    """What `--help` of every command prints on a wide terminal, without the lines around it."""
    text = ""
    for command in list_commands():
        lines = (re.sub("[\u2500-\u257f]+|  +", "  ", line).strip() for line in read_help(command))
        text += f"# wavefold {' '.join(command)}\n" + "".join(f"{line}\n" for line in lines if line)
    return text


def read_help(command):
    """The lines that a command prints in this process, which saves the start of one for each command."""
    from wavefold.cli.app import run

    printed = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    terminal = {"COLUMNS": "400", "NO_COLOR": "1", "TERM": "dumb"}
    with mock.patch.dict(os.environ, terminal), contextlib.redirect_stdout(printed):
        assert run([*command, "--help"]) == 0
    return printed.buffer.getvalue().decode().splitlines()


def list_commands():
    """The words of every command and group of commands, as lists."""
    from wavefold.cli.app import app

    return list(find_commands(typer.main.get_command(app), []))


def find_commands(command, words):
    """The words of this command and of those below it; commands of the server are loaded."""
    yield words
    for name, child in sorted(getattr(command, "commands", {}).items()):
        is_stub = not words and is_offered("command", name)
        found = typer.main.get_command(find("command", name)) if is_stub else child
        yield from find_commands(found, [*words, name])


def describe_service():
    """The OpenAPI document, with sorted keys."""
    from wavefold_server import ServiceSettings
    from wavefold_server.app import create_app
    from wavefold_server.openapi import describe_api

    document = describe_api(create_app(ServiceSettings(data=Path("unused"))))
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


SNAPSHOTS = {
    "names.txt": describe_names,
    "commands.txt": describe_commands,
    "openapi.json": describe_service,
}

# Packages whose version changes what a snapshot looks like.
WRITERS = {"names.txt": (), "commands.txt": ("typer", "rich"), "openapi.json": ("fastapi", "pydantic")}


def list_versions():
    """{package: version} of what writes the snapshots."""
    return {package: version(package) for packages in WRITERS.values() for package in packages}


if __name__ == "__main__":
    for file, describe in SNAPSHOTS.items():
        (FOLDER / file).write_text(describe(), "utf-8")
    VERSIONS.write_text(json.dumps(list_versions(), indent=1) + "\n", "utf-8")
