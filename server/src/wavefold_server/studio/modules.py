"""Which modules of the studio need which others."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from wavefold.errors import WavefoldError
from wavefold_server.studio import PAGES

IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)


def list_modules(entry: str) -> list[str]:
    """A module and all that it needs, by their paths among the pages; those that are needed come first."""
    order: list[str] = []
    visit(entry, order, ())
    return order


def visit(path: str, order: list[str], above: tuple[str, ...]) -> None:
    """Add a module and all that it needs to the order, unless they are there."""
    if path in above:
        raise WavefoldError(f"modules of the studio import each other: {' → '.join([*above, path])}")
    if path in order:
        return
    for _, imported in IMPORT.findall(read_module(path)):
        visit(resolve(path, imported), order, (*above, path))
    order.append(path)


def read_module(path: str) -> str:
    """The text of a module, by its path among the pages."""
    return (PAGES / path).read_text()


def resolve(path: str, imported: str) -> str:
    """The path of what a module imports, among the pages."""
    parts: list[str] = []
    for part in (PurePosixPath(path).parent / imported).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)
