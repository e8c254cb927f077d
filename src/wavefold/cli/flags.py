"""Flags of commands: those of declared options, in groups that reach a command as one argument."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, TypeAlias, Union, get_args, get_origin

import typer

from wavefold.options.option import DeclaredOption, list_options, plain_type

Flags: TypeAlias = dict[str, Any]  # {key of the configuration: value}, of the flags that were given
PANELS = {"learn": "Learning from a picture", "own_constraints": "Constraints"}  # by section or name
WHOLE = re.compile(r"[0-9]{1,18}")


class FlagGroup(NamedTuple):
    """Flags that reach a command as one argument. It is the default of a parameter of the command.

    hints : {flag: annotated type}. A parameter of the command with the same name takes its place
    read : makes the argument from {flag: value}
    """

    hints: dict[str, Any]
    read: Callable[[dict[str, Any]], Any]


def declared_flags(*chosen: tuple[type, str], **defaults: str) -> Any:
    """A group with the flags of declared options, for a parameter of the type `Flags`.

    chosen : dataclasses, each with names of its options, and of parameters that the help lists among them
    defaults : what the help shows instead of the declared default, by the name of the option
    """
    declared: dict[str, DeclaredOption] = {}
    hints: dict[str, Any] = {}
    for group, names in chosen:
        known = {each.name: each for each in list_options(group)}
        for name in names.split():
            hints[name] = None
            if name in known:
                declared[name] = known[name]
                hints[name] = describe_flag(known[name], defaults.get(name))

    def read(given: dict[str, Any]) -> Flags:
        return {
            f"{declared[name].section}.{declared[name].key}": parse(declared[name], value)
            for name, value in given.items()
            if value not in (None, [])
        }

    return FlagGroup(hints, read)


def pick_section(flags: Flags, section: str) -> dict[str, Any]:
    """The flags of one section of the configuration, by their keys."""
    return {name.removeprefix(f"{section}."): flags[name] for name in flags if name.startswith(f"{section}.")}


def parse(declared: DeclaredOption, value: Any) -> Any:
    """The number that a text stands for, if the option has names and numbers as values."""
    is_number = int in declared.parts and isinstance(value, str) and WHOLE.fullmatch(value)
    return int(value) if is_number else value


def describe_flag(declared: DeclaredOption, default: str | None = None) -> Any:
    """The annotated type of a flag. None is allowed: the flag is not given, and the configuration counts."""
    option, kind = declared.option, find_type(declared)
    about: dict[str, Any] = {"min": option.low, "max": option.high} if kind is int else {}
    flag = typer.Option(
        declared.flag,
        help=describe_option(declared),
        show_default=default or describe_default(declared) or False,
        metavar=option.metavar,
        rich_help_panel=PANELS.get(declared.section, PANELS.get(declared.name)),
        **about,
    )
    return Annotated[kind | None, flag]


def find_type(declared: DeclaredOption) -> Any:
    """The type of the value of a flag; text if it has several."""
    plain = plain_type(declared)
    kinds = set(get_args(plain) if get_origin(plain) in (Union, UnionType) else (plain,)) - {NoneType}
    only = kinds.pop() if len(kinds) == 1 else str
    return list[str] if only == tuple[str, ...] else only if only in (bool, int) else str


def describe_option(declared: DeclaredOption) -> str:
    """The help of an option as a sentence."""
    text = strip_quotes(declared.option.help) + "; repeatable" * (find_type(declared) == list[str])
    return f"{text[:1].upper()}{text[1:]}."


def describe_default(declared: DeclaredOption) -> str:
    """The default in words, and what it means; empty if it means nothing."""
    default = declared.default
    usual = {True: "yes", False: "no"}[default] if isinstance(default, bool) else str(default)
    parts = ("" if default in (None, (), {}) else usual, strip_quotes(declared.option.unset))
    return ": ".join(filter(None, parts))


def strip_quotes(text: str) -> str:
    """A text with values as they are typed: `"auto"` becomes auto."""
    return text.replace('`"', "").replace('"`', "")


def expand_flags(command: Callable[..., None]) -> Callable[..., None]:
    """The command with flags in place of its groups, for Typer."""
    own = {
        name: each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, each in inspect.signature(command, eval_str=True).parameters.items()
    }
    groups = {name: each.default for name, each in own.items() if isinstance(each.default, FlagGroup)}
    parameters: dict[str, inspect.Parameter] = {}
    for name, parameter in own.items():
        hints = groups[name].hints if name in groups else {name: None}
        for flag, hint in hints.items():
            made = parameter.replace(name=flag, default=None, annotation=hint)
            parameters.setdefault(flag, own[flag] if hint is None else own.get(flag, made))

    @functools.wraps(command)
    def run(**arguments: Any) -> None:
        for name, group in groups.items():
            given = {flag: arguments.pop(flag) for flag in group.hints if flag not in own}
            arguments[name] = group.read(given)
        command(**arguments)

    run.__signature__ = inspect.Signature([*parameters.values()])  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters.values()}
    return run
