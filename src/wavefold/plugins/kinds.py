"""The kinds of parts, and `Plugin`: one part, with its origin, description and compatibility.

A package states in its metadata which versions of wavefold it supports:
`dependencies = ["wavefold>=0.1,<0.2"]`. `wavefold.plugins.registry` finds parts by name.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import Distribution, EntryPoint
from typing import Any, NamedTuple

from wavefold._version import __version__
from wavefold.errors import PluginError, describe_error

BUILT_IN_ORIGIN = "built-in"
DIAGNOSTIC_CLASS = "wavefold.reports.diagnostics:Diagnostic"
UNUSABLE_PHRASE = "cannot be used: "  # in messages, before the reason


class Kind(NamedTuple):
    """One kind of parts.

    expected : what a part of this kind is, for error messages
    accepts : tests whether an object is a part of this kind
    group : the group of entry points; by default wavefold.KIND
    describe : returns the description of a part; by default its attribute `description`, if it has one
    """

    expected: str
    accepts: Callable[[Any], bool]
    group: str = ""
    describe: Callable[[Any], str | None] = lambda part: getattr(part, "description", None)


def is_subclass(target: str) -> Callable[[Any], bool]:
    """A test for subclasses of the class at "module:attribute"."""
    return lambda part: isinstance(part, type) and issubclass(part, load_target(target))


def is_instance(target: str) -> Callable[[Any], bool]:
    """A test for instances of the class at "module:attribute"."""
    return lambda part: isinstance(part, load_target(target))


def is_function_or_heuristics(part: Any) -> bool:
    """Whether a part is a function or a `wavefold.Heuristics`."""
    is_function = callable(part) and not isinstance(part, type)
    return is_function or isinstance(part, load_target("wavefold.solver.heuristics:Heuristics"))


def read_help(command: Any) -> str | None:
    """The help text of a Typer application, or of its only command."""
    from typer.main import get_command

    return get_command(command).help


# Groups for optional distributions, not for parts: `registry.load_extension` finds one entry point by name.
EXTENSION_GROUPS = {"wavefold.documents", "wavefold.notebook"}

KINDS = {
    "topology": Kind("a class derived from wavefold.Topology", is_subclass("wavefold.topology:Topology")),
    "tileset": Kind("a function that returns a wavefold.TileSet", callable),
    "order": Kind("a function or a wavefold.Heuristics", is_function_or_heuristics),
    "choice": Kind("a function or a wavefold.Heuristics", is_function_or_heuristics),
    "constraint": Kind(
        "a class with a method prune", lambda part: isinstance(part, type) and hasattr(part, "prune")
    ),
    "join": Kind("a class derived from wavefold.Join", is_subclass("wavefold.patchwork:Join")),
    "map_format": Kind("a wavefold.MapFormat", is_instance("wavefold.plugins.map_formats:MapFormat")),
    "renderer": Kind("a function that returns a picture of a map", callable),
    "diagnostic": Kind("a class derived from wavefold.Diagnostic", is_subclass(DIAGNOSTIC_CLASS)),
    "command": Kind("a typer.Typer", is_instance("typer:Typer"), "wavefold.commands", read_help),
}


def find_entry_group(kind: str) -> str:
    """The group of entry points in which packages register parts of a kind."""
    return KINDS[kind].group or f"wavefold.{kind}"


@dataclass(frozen=True, slots=True)
class Plugin:
    """A registered part. Nothing is imported before `load`.

    is_ours : whether the part belongs to wavefold
    words : the description of a built-in part without a docstring
    """

    kind: str
    name: str
    entry: EntryPoint
    is_ours: bool = False
    words: str = ""

    @property
    def origin(self) -> str:
        """The package and version it comes from, or "built-in"."""
        if self.is_ours:
            return BUILT_IN_ORIGIN
        dist = self.entry.dist
        if dist is None or "Name" not in dist.metadata:  # damaged metadata
            return self.module
        return f"{dist.metadata['Name']} {dist.version}"

    @property
    def module(self) -> str:
        """The module it is imported from."""
        return self.entry.value.partition(":")[0]

    @property
    def unmet_requirement(self) -> str:
        """The reason why it needs another version of wavefold, or ""."""
        return "" if self.is_ours or self.entry.dist is None else find_unmet_requirement(self.entry.dist)

    def load(self) -> Any:
        """Import and check the part; raises `PluginError` if it cannot be used."""
        part = self.import_part(KINDS[self.kind].accepts)
        if part is None:
            raise self.refuse(f"{self.entry.value} is not {KINDS[self.kind].expected}")
        return part

    def import_part(self, accepts: Callable[[Any], bool] = bool) -> Any:
        """Import the part; None if it is not accepted. Raises `PluginError` if the import fails."""
        if reason := self.unmet_requirement:
            raise self.refuse(reason)
        try:
            part = self.entry.load()
            return part if accepts(part) else None
        except (Exception, SystemExit) as error:  # third-party code may raise anything
            raise self.refuse(f"loading it raised {describe_error(error)}") from error

    def describe(self) -> str:
        """One line: `words`, the part's `description`, or the first line of its docstring."""
        part, text = self.load(), self.words or None
        with suppress(Exception):  # a property may raise anything
            text = text or KINDS[self.kind].describe(part)
        if not isinstance(text, str):
            text = part.__doc__ if part.__doc__ != type(part).__doc__ else None  # not its class's docstring
        return (text or "").strip().partition("\n")[0]

    def check_result(self, result: Any, expected: type) -> None:
        """Raise unless the part returned an object of this type."""
        if not isinstance(result, expected):
            raise self.refuse(
                f"{self.entry.value} returned {result!r:.60}; it must be {KINDS[self.kind].expected}"
            )

    def refuse(self, reason: str) -> PluginError:
        """Return the error for an unusable part."""
        return PluginError(f"the {self.kind} {self.name!r} of {self.origin} {UNUSABLE_PHRASE}{reason}")


def load_target(target: str) -> Any:
    """Import the object at "module:attribute"."""
    return EntryPoint("", target, "").load()


def find_unmet_requirement(dist: Distribution) -> str:
    """The required version of wavefold, as a reason, if the installed one does not match; or ""."""
    for text in dist.requires or ():
        if text.lower().startswith("wavefold"):
            from packaging.requirements import InvalidRequirement, Requirement
            from packaging.version import Version

            try:
                needed = Requirement(text)
            except InvalidRequirement:
                return f"its requirement {text!r} is invalid"
            is_about_us = needed.name.lower() == "wavefold"
            is_optional = needed.marker is not None and not needed.marker.evaluate({"extra": ""})
            # A development version of 0.2 counts as 0.2.
            ours = Version(__version__).base_version
            if is_about_us and not is_optional and not needed.specifier.contains(ours, prereleases=True):
                return f"it requires wavefold {needed.specifier}, and this is {__version__}"
    return ""
