"""XML as elements with line numbers, from untrusted files.

The standard library's tree forgets line numbers, which error messages need; so this sits on its parser.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from wavefold.common.files import read_limited
from wavefold.errors import FormatError

MOST_BYTES = 8 << 20
MOST_ELEMENTS = 200_000
MOST_NESTED = 16


@dataclass(slots=True)
class Element:
    """An element of the file, and the line it starts on."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)

    def every(self, tag: str) -> list[Element]:
        """The elements of this kind directly inside."""
        return [child for child in self.children if child.tag == tag]

    def __str__(self) -> str:
        shown = "".join(f' {name}="{value[:40]}"' for name, value in list(self.attributes.items())[:4])
        return f"<{self.tag}{shown}>"


def read_tree(source: Path) -> Element:
    """The outermost element of a file."""
    data = read_limited(source, MOST_BYTES, "a tile set file is much smaller")
    return TreeReader(source).read(data)


class TreeReader:
    """Reads XML into elements; refuses what could grow beyond the file it is written in."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.refuse  # entities can only be declared in one
        self.top = Element("", {}, 0)
        self.open = [self.top]
        self.count = 0

    def read(self, data: bytes) -> Element:
        """The outermost element."""
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise FormatError(f"{str(self.source)!r}, line {error.lineno}: not valid XML: {reason}") from None
        except (LookupError, ValueError) as error:  # an unknown encoding
            raise FormatError(f"{str(self.source)!r}: not valid XML: {error}") from None
        return self.top.children[0]

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        element = Element(tag, attributes, self.parser.CurrentLineNumber)
        self.count += 1
        if self.count > MOST_ELEMENTS:
            fail(self.source, element, f"is one too many: at most {MOST_ELEMENTS:,} elements can be read")
        if len(self.open) > MOST_NESTED:
            fail(self.source, element, f"is nested too deeply: more than {MOST_NESTED} levels")
        self.open[-1].children.append(element)
        self.open.append(element)

    def end(self, tag: str) -> None:
        """An element ends; expat has checked that it is this one."""
        self.open.pop()

    def refuse(self, name: str, *_: object) -> NoReturn:
        """A document type begins: it could define entities that expand without end, or name other files."""
        line = self.parser.CurrentLineNumber
        raise FormatError(f"{str(self.source)!r}, line {line}: <!DOCTYPE {name}> is not read; remove it")


def only_child(source: Path, element: Element, tag: str) -> Element:
    """The one element of this kind inside."""
    found = element.every(tag)
    if len(found) != 1:
        fail(source, element, f"has {len(found) or 'no'} <{tag}>; expected one")
    return found[0]


def attribute(source: Path, element: Element, name: str) -> str:
    """The attribute of an element that must have it."""
    if name not in element.attributes:
        fail(source, element, f"has no attribute {name!r}")
    return element.attributes[name]


def fail(source: Path, element: Element, problem: str) -> NoReturn:
    """Raise: the file, the line, the element, and what is wrong with it."""
    raise FormatError(f"{str(source)!r}, line {element.line}: {element} {problem}")
