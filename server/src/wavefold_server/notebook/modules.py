"""The studio's modules as one script, for pages that cannot ask a server for the others.

Every module becomes a function that returns what it exports, in an order in which those that are needed come
first: names of one do not meet those of another, and no tool is needed.
"""

from __future__ import annotations

import re
from functools import cache

from wavefold.errors import WavefoldError
from wavefold_server.studio import PAGES
from wavefold_server.studio.modules import IMPORT, list_modules, read_module, resolve

EXPORT = re.compile(r"^export ((?:async )?(?:class|function|const|let)) (\w+)", re.MULTILINE)
UNKNOWN = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
STYLES = ("tokens", "parts", "notebook")


@cache
def bundle_modules(entry: str) -> str:
    """One module with all that a module of the studio needs; its default export has what that exports."""
    order = list_modules(entry)
    bodies = [wrap(path, order) for path in order]
    return "\n".join([*bodies, f"export default {name_of(entry, order)};", ""])


@cache
def bundle_styles() -> str:
    """The styles of boards for a shadow tree, where `:host` takes the place of `:root`."""
    text = "\n".join((PAGES / "css" / f"{name}.css").read_text() for name in STYLES)
    return re.sub(r":root(\[[^\]]*\])?", lambda found: f":host({found[1]})" if found[1] else ":host", text)


def wrap(path: str, order: list[str]) -> str:
    """A module as a function that was called: `const m0 = (() => { … return { names }; })();`"""
    text = read_module(path)
    exported = [name for _, name in EXPORT.findall(text)]

    def take(found: re.Match[str]) -> str:
        names = re.sub(r"(\w+) as (\w+)", r"\1: \2", found[1].strip())
        return f"const {{ {names} }} = {name_of(resolve(path, found[2]), order)};\n"

    body = EXPORT.sub(r"\1 \2", IMPORT.sub(take, text))
    if left := UNKNOWN.search(body):
        raise WavefoldError(f"{path} of the studio cannot be bundled: {left[0]}")
    return f"const {name_of(path, order)} = (() => {{\n{body}return {{ {', '.join(exported)} }};\n}})();"


def name_of(path: str, order: list[str]) -> str:
    """What the script calls a module."""
    return f"m{order.index(path)}"
