"""What a part of each kind is, and one such part: where it comes from, whether it can be used, what it is.

A package that was made for another version of wavefold says so in its own metadata, as everybody does:
`dependencies = ["wavefold>=0.1,<0.2"]`. What finds parts by name is `wavefold.plugins`.
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
DIAGNOSTIC = "wavefold.diagnostics:Diagnostic"
UNUSABLE = "cannot be used: "  # in messages, before the reason


class Kind(NamedTuple):
    """What the parts of one kind are.

    expected : in words
    accepts : whether this is one
    """

    expected: str
    accepts: Callable[[Any], bool]


def is_subclass(target: str) -> Callable[[Any], bool]:
    """A test for classes derived from this one, given as "module:attribute"."""
    return lambda part: isinstance(part, type) and issubclass(part, load_target(target))


def is_instance(target: str) -> Callable[[Any], bool]:
    """A test for instances of this class."""
    return lambda part: isinstance(part, load_target(target))


def is_function_or_heuristics(part: Any) -> bool:
    is_function = callable(part) and not isinstance(part, type)
    return is_function or isinstance(part, load_target("wavefold.solver.heuristics:Heuristics"))


KINDS = {
    "topology": Kind("a class derived from wavefold.Topology", is_subclass("wavefold.topology:Topology")),
    "tileset": Kind("a function that returns a wavefold.TileSet", callable),
    "order": Kind("a function or a wavefold.Heuristics", is_function_or_heuristics),
    "choice": Kind("a function or a wavefold.Heuristics", is_function_or_heuristics),
    "constraint": Kind(
        "a class with a method prune", lambda part: isinstance(part, type) and hasattr(part, "prune")
    ),
    "join": Kind("a class derived from wavefold.Join", is_subclass("wavefold.patchwork:Join")),
    "map_format": Kind("a wavefold.MapFormat", is_instance("wavefold.map_format:MapFormat")),
    "renderer": Kind("a function that returns a picture of a map", callable),
    "diagnostic": Kind("a class derived from wavefold.Diagnostic", is_subclass(DIAGNOSTIC)),
}


@dataclass(frozen=True, slots=True)
class Plugin:
    """A part that can be asked for by name. Nothing is imported before `load`.

    is_ours : it comes with wavefold
    words : its description, if it has no docstring
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
        name = None if dist is None else dist.metadata["Name"]  # None if its metadata are damaged
        return self.module if dist is None or name is None else f"{name} {dist.version}"

    @property
    def module(self) -> str:
        """The module it is imported from."""
        return self.entry.value.partition(":")[0]

    @property
    def unmet_requirement(self) -> str:
        """Why it was made for another version of wavefold, or ""."""
        return "" if self.is_ours or self.entry.dist is None else find_unmet_requirement(self.entry.dist)

    def load(self) -> Any:
        """The part itself; raises `PluginError` if it cannot be used."""
        if reason := self.unmet_requirement:
            raise self.refuse(reason)
        try:
            part = self.entry.load()
            is_accepted = KINDS[self.kind].accepts(part)
        except (Exception, SystemExit) as error:  # whatever the code of another package may raise
            raise self.refuse(f"loading it raised {describe_error(error)}") from error
        if not is_accepted:
            raise self.refuse(f"{self.entry.value} is not {KINDS[self.kind].expected}")
        return part

    def describe(self) -> str:
        """What it is, in one line: `words`, its `description`, or the first line of its docstring."""
        part, text = self.load(), self.words or None
        with suppress(Exception):  # a property may be anybody's code
            text = text or getattr(part, "description", None)
        if not isinstance(text, str):
            text = part.__doc__ if part.__doc__ != type(part).__doc__ else None  # not that of its class
        return (text or "").strip().partition("\n")[0]

    def check_result(self, result: Any, expected: type) -> None:
        """Raise if its function returned something else."""
        if not isinstance(result, expected):
            raise self.refuse(
                f"{self.entry.value} returned {result!r:.60}; it must be {KINDS[self.kind].expected}"
            )

    def refuse(self, reason: str) -> PluginError:
        """The error of a part that cannot be used."""
        return PluginError(f"the {self.kind} {self.name!r} of {self.origin} {UNUSABLE}{reason}")


def load_target(target: str) -> Any:
    """What "module:attribute" stands for."""
    return EntryPoint("", target, "").load()


def find_unmet_requirement(dist: Distribution) -> str:
    """Which version of wavefold a package requires in its metadata, if this is another; or ""."""
    for text in dist.requires or ():
        if text.lower().startswith("wavefold"):
            from packaging.requirements import InvalidRequirement, Requirement
            from packaging.version import Version

            try:
                needed = Requirement(text)
            except InvalidRequirement:
                return f"what it requires is not understood: {text!r}"
            is_about_us = needed.name.lower() == "wavefold"
            is_optional = needed.marker is not None and not needed.marker.evaluate({"extra": ""})
            # A development version of 0.2 has what 0.2 will have.
            ours = Version(__version__).base_version
            if is_about_us and not is_optional and not needed.specifier.contains(ours, prereleases=True):
                return f"it requires wavefold {needed.specifier}, and this is {__version__}"
    return ""
