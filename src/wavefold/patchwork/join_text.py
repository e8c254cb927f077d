"""Joins as plain data and back: their names and their numbers. Classes cannot be."""

from __future__ import annotations

from dataclasses import fields as options_of
from pathlib import Path
from typing import Any

from wavefold.errors import ConfigError, FormatError, PluginError
from wavefold.patchwork.joins import Join
from wavefold.plugins import find


def join_to(join: Join) -> dict[str, Any]:
    """A join as its name and its numbers; of one that is not installed, what its class is called."""
    if not is_installed(join):
        return {"name": join.name, "own": type(join).__qualname__}
    options = {option.name: getattr(join, option.name) for option in options_of(join)}
    told = {name: join_to(value) if isinstance(value, Join) else value for name, value in options.items()}
    return {"name": join.name, "options": told}


def is_installed(join: Join) -> bool:
    """Whether the name of this join finds its class: that of a subclass may find another."""
    try:
        return find("join", join.name) is type(join)
    except PluginError:
        return False


def found_join(told: dict[str, Any], source: Path, given: Any) -> Join:
    """The join that was given, or the one in the file; either way the one the map was made with."""
    if given is None:
        return join_from(told, source)
    if not isinstance(given, Join):
        raise ConfigError(f"join must be given as a Join, such as Overlap(), not {given!r}")
    if join_to(given) != told:
        raise ConfigError(f"{source} was made with another join, {told['name']!r}; it grows on with that one")
    return given


def join_from(told: dict[str, Any], source: Path) -> Join:
    """The other way; another's join must be installed."""
    if "own" in told:
        raise FormatError(
            f"{source} was made with a join of one's own, {told['own']}, which a file cannot hold; give it, "
            "as Patchwork.load(path, join=join)"
        )
    options = {
        name: join_from(value, source) if isinstance(value, dict) and "name" in value else value
        for name, value in told["options"].items()
    }
    made: Join = find("join", told["name"])(**options)
    return made
