"""The image: what it names exists, and it runs without rights."""

import re
import tomllib
from pathlib import Path

TOP = Path(__file__).parents[2]
TEXT = (TOP / "Dockerfile").read_text("utf-8")
LINES = re.sub(r"\\\n", " ", re.sub(r"(?m)^\s*#.*\n", "", TEXT)).splitlines()


def instructions(name):
    """What follows this instruction, each time it occurs."""
    return [line.split(None, 1)[1] for line in LINES if line.split(None, 1)[:1] == [name]]


def test_it_runs_as_a_user_without_rights():
    assert instructions("USER") == ["wavefold"]
    last_run = max(index for index, line in enumerate(LINES) if line.startswith("RUN"))
    assert LINES.index("USER wavefold") > last_run


def test_files_that_it_copies_exist_and_are_not_ignored():
    kept = re.findall(r"^!(\S+)$", (TOP / ".dockerignore").read_text("utf-8"), re.MULTILINE)
    copied = [each for line in instructions("COPY") if "--from" not in line for each in line.split()[:-1]]
    assert {each.removeprefix("./") for each in copied} == set(kept)
    assert all((TOP / each).exists() for each in kept)


def test_extras_that_it_installs_exist():
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    for extra in re.findall(r"\.whl\)\[(\w+)\]", TEXT):
        assert extra in project["optional-dependencies"]


def test_the_command_and_the_health_check_agree_on_the_port():
    import ast

    from wavefold_server import ServiceSettings

    port = ServiceSettings.model_fields["port"].default
    assert instructions("EXPOSE") == [str(port)]
    (check,) = instructions("HEALTHCHECK")
    words = ast.literal_eval(check[check.index("[") :])
    assert words[0] == "python"
    compile(words[2], "HEALTHCHECK", "exec")
    assert f":{port}/healthz" in words[2]
