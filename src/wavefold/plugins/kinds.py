"""The kinds of parts, and one part: its origin, whether it can be used, its description.

A package made for another version of wavefold declares that in its own metadata:
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

OURS = "built-in"
DIAGNOSTIC = "wavefold.reports.diagnostics:Diagnostic"
UNUSABLE = "cannot be used: "  # in messages, before the reason


class Kind(NamedTuple):
    """One kind of parts.

    expected : what a part is, in words
    accepts : whether an object is such a part
    group : the group of entry points; "": wavefold.KIND
    describe : what a part says about itself, if that is neither a `description` nor a docstring
    """

    expected: str
    accepts: Callable[[Any], bool]
    group: str = ""
    describe: Callable[[Any], str | None] = lambda part: getattr(part, "description", None)


def is_subclass(target: str) -> Callable[[Any], bool]:
    """A test for classes derived from this one, given as "module:attribute"."""
    return lambda part: isinstance(part, type) and issubclass(part, load_target(target))


def is_instance(target: str) -> Callable[[Any], bool]:
    """A test for instances of this class."""
    return lambda part: isinstance(part, load_target(target))


def is_function_or_heuristics(part: Any) -> bool:
    is_function = callable(part) and not isinstance(part, type)
    return is_function or isinstance(part, load_target("wavefold.solver.heuristics:Heuristics"))


def read_help(command: Any) -> str | None:
    """The help text of a Typer application, or of its only command."""
    from typer.main import get_command

    return get_command(command).help


# Groups that are no kind of parts: `registry.load_extension` looks for one entry point in each.
EXTENSIONS = {"wavefold.documents", "wavefold.notebook"}

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
    "diagnostic": Kind("a class derived from wavefold.Diagnostic", is_subclass(DIAGNOSTIC)),
    "command": Kind("a typer.Typer", is_instance("typer:Typer"), "wavefold.commands", read_help),
}


def group_of(kind: str) -> str:
    """The group of entry points in which packages name their parts of a kind."""
    return KINDS[kind].group or f"wavefold.{kind}"


@dataclass(frozen=True, slots=True)
class Plugin:
    """A part with a name. Nothing is imported before `load`.

    is_ours : it comes with wavefold
    words : the description of a part without a docstring
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
            return OURS
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
        """Why it needs another version of wavefold, or ""."""
        return "" if self.is_ours or self.entry.dist is None else find_unmet_requirement(self.entry.dist)

    def load(self) -> Any:
        """The part itself; raises `PluginError` if it cannot be used."""
        part = self.import_part(KINDS[self.kind].accepts)
        if part is None:
            raise self.refuse(f"{self.entry.value} is not {KINDS[self.kind].expected}")
        return part

    def import_part(self, accepts: Callable[[Any], bool] = bool) -> Any:
        """The part itself, or None if it is not accepted; raises `PluginError` if it cannot be imported."""
        if reason := self.unmet_requirement:
            raise self.refuse(reason)
        try:
            part = self.entry.load()
            return part if accepts(part) else None
        except (Exception, SystemExit) as error:  # code of another package may raise anything
            raise self.refuse(f"loading it raised {describe_error(error)}") from error

    def describe(self) -> str:
        """Its description in one line: `words`, its `description`, or the first line of its docstring."""
        part, text = self.load(), self.words or None
        with suppress(Exception):  # a property may raise anything
            text = text or KINDS[self.kind].describe(part)
        if not isinstance(text, str):
            text = part.__doc__ if part.__doc__ != type(part).__doc__ else None  # not its class's docstring
        return (text or "").strip().partition("\n")[0]

    def check_result(self, result: Any, expected: type) -> None:
        """Raise unless its function returned an object of this type."""
        if not isinstance(result, expected):
            raise self.refuse(
                f"{self.entry.value} returned {result!r:.60}; it must be {KINDS[self.kind].expected}"
            )

    def refuse(self, reason: str) -> PluginError:
        """The error of a part that cannot be used."""
        return PluginError(f"the {self.kind} {self.name!r} of {self.origin} {UNUSABLE}{reason}")


def load_target(target: str) -> Any:
    """Import the object at "module:attribute"."""
    return EntryPoint("", target, "").load()


def find_unmet_requirement(dist: Distribution) -> str:
    """The version of wavefold that a package requires, if this is another one; or ""."""
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
            # A development version of 0.2 has what 0.2 will have.
            ours = Version(__version__).base_version
            if is_about_us and not is_optional and not needed.specifier.contains(ours, prereleases=True):
                return f"it requires wavefold {needed.specifier}, and this is {__version__}"
    return ""
