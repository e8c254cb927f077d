"""Environment variables: WAVEFOLD_<SECTION>_<KEY>, with values as in TOML; bare words are text."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from wavefold.config.origins import Origin, Problem

PREFIX = "WAVEFOLD_"
FILE_VARIABLE = "WAVEFOLD_CONFIG"  # names the file to read; empty: none
ALIKE = 0.8  # what is less alike is meant for somebody else: WAVEFOLD_DATA is no setting


def in_environment(
    environment: Mapping[str, str], sections: Mapping[str, Any]
) -> Iterator[tuple[str, str, str | None, Any]]:
    """(variable, section, key, value) of each variable that is a setting; key None: a whole section."""
    for variable, section, key in split(environment):
        if section in sections:
            yield variable, section, key, value_of(environment[variable])


def misspelled(environment: Mapping[str, str], sections: Mapping[str, Any]) -> Iterator[Problem]:
    """Variables that were surely meant for a section."""
    for variable, section, _ in split(environment):
        if section not in sections:
            for close in get_close_matches(section, sections, n=1, cutoff=ALIKE):
                yield Origin(2, variable), f"unknown section {section!r}; did you mean {close!r}?"


def split(environment: Mapping[str, str]) -> Iterator[tuple[str, str, str | None]]:
    """(variable, section, key) of all that begin with our prefix, in the order of their names."""
    for variable in sorted(environment):
        if variable.startswith(PREFIX) and variable != FILE_VARIABLE:
            section, _, key = variable.removeprefix(PREFIX).lower().partition("_")
            yield variable, section, key or None


def value_of(text: str) -> Any:
    """A value as TOML writes it; whatever is none is text."""
    try:
        read = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return read["value"] if set(read) == {"value"} else text
