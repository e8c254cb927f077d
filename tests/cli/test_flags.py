"""Flags of declared options, which reach a command as one argument."""

from __future__ import annotations

from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from wavefold.cli.flags import Flags, declared_flags, describe_option, expand_flags, pick_section
from wavefold.config.loading import name_flag
from wavefold.options.groups import GenerateOptions, LearnOptions, PatchworkOptions, WorldOptions
from wavefold.options.option import find_option, list_options

FLAGS = declared_flags(
    (GenerateOptions, "seed wrap pin diagnostics subset"),
    (LearnOptions, "symmetry periodic"),
    (WorldOptions, "radius"),
    subset="everything",
)
GROUPS = (GenerateOptions, LearnOptions, WorldOptions, PatchworkOptions)


@pytest.fixture
def run():
    """Run a command with these flags and one of its own; what it gets, and what it prints."""
    got: list[object] = []

    def command(
        flags: Flags = FLAGS,
        pin: Annotated[str, typer.Option(help="Its own.")] = "none",
        subset: str = "own",
    ) -> None:
        got[:] = [flags, pin, subset]

    app = typer.Typer()
    app.command()(expand_flags(command))

    def call(*arguments):
        done = CliRunner().invoke(app, arguments, terminal_width=200)
        return got, done.output

    return call


@pytest.mark.parametrize(
    ("arguments", "flags"),
    [
        ([], {}),
        (["--seed", "0", "--no-wrap"], {"generate.seed": 0, "generate.wrap": False}),
        (["--diagnostic", "otel", "--diagnostic", "x"], {"generate.diagnostics": ["otel", "x"]}),
        (["--symmetry", "8", "--open"], {"learn.symmetry": 8, "learn.periodic": False}),
        (["--symmetry", "auto"], {"learn.symmetry": "auto"}),
        (["--symmetry", "9" * 5000], {"learn.symmetry": "9" * 5000}),
        (["--radius", "3"], {"world.corner_radius": 3}),
    ],
)
def test_a_command_gets_the_flags_that_were_given_by_their_keys(run, arguments, flags):
    assert run(*arguments)[0] == [flags, "none", "own"]


def test_the_help_lists_flags_in_the_order_of_the_group(run):
    shown = run("--help")[1]
    order = ["--seed", "--wrap", "--pin", "--diagnostic", "--subset", "--radius", "--symmetry", "--periodic"]
    assert sorted(order, key=shown.index) == order
    assert "1<=x<=4096" in shown


def test_a_number_beyond_the_declared_bounds_is_refused(run):
    got, shown = run("--radius", "0")
    assert got == []
    assert "greater than or equal to 1" in shown


def test_a_name_that_is_neither_an_option_nor_a_parameter_is_an_error():
    def command(flags: Flags = declared_flags((GenerateOptions, "sede"))) -> None:  # noqa: B008
        """Do nothing."""

    with pytest.raises(KeyError, match="sede"):
        expand_flags(command)


def test_a_section_is_picked_from_the_flags():
    assert pick_section({"learn.n": 3, "generate.seed": 1}, "learn") == {"n": 3}


@pytest.mark.parametrize("group", GROUPS)
def test_every_help_is_a_sentence(group):
    for each in list_options(group):
        text = describe_option(each)
        assert text[0].isupper()
        assert text.endswith(".")
        assert '`"' not in text
        assert not each.option.help.endswith(".")


@pytest.mark.parametrize(
    ("key", "flag"),
    [
        ("search.ladder", "--search"),
        ("world.corner_radius", "--radius"),
        ("generate.diagnostics", "--diagnostic"),
        ("learn.periodic", "--periodic"),
        ("service.allow_hosts", "--allow-host"),
        ("budget", "--budget"),
    ],
)
def test_messages_name_the_flag_of_a_key(key, flag):
    assert name_flag(key) == flag


def test_the_description_says_what_applies_without_a_value():
    assert (
        find_option(LearnOptions, "n").description == "width of the windows to learn, in cells; if not set, 3"
    )
    assert find_option(WorldOptions, "refine").description.endswith('; `"auto"`: what suits the tile set')
