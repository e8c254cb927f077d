"""XML and JSON from untrusted files: reading within limits, with errors that name the place in the file.

XML becomes elements with line numbers. A `Node` is a part of a file of either kind, and uses the names of the
JSON format (`tiled.document` translates XML). Each access checks the value. Errors name the path of the field
(`layers[0].data`) in JSON, or the line in XML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import PureWindowsPath
from typing import Any, NoReturn
from xml.parsers import expat

from wavefold.errors import FormatError
from wavefold.options.values import shorten
from wavefold.storage.files import AnyFile, find_inside, read_limited
from wavefold.storage.parsing import parse_limited_json

MOST_BYTES = 32 << 20
MOST_ELEMENTS = 200_000  # in XML; in JSON, objects and lists
MOST_NESTED = 16  # levels of elements
LARGEST_NUMBER = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a file: its fields and its place."""

    source: AnyFile
    place: str | Element  # the path of this node in JSON, or its element
    fields: Mapping[str, Any]

    # --- fields ---------------------------------------------------------------------------------

    def __contains__(self, name: str) -> bool:
        return name in self.fields

    def text(self, name: str, default: str | None = None) -> str:
        """Read a text field."""
        value = self.fields.get(name, default)
        if not isinstance(value, str) or not is_unicode(value):
            self.fail_field(name, "text")
        return value

    def whole(self, name: str, default: int | None = None, least: int = 0, most: int = LARGEST_NUMBER) -> int:
        """Read a whole number from `least` to `most`."""
        value = self.fields.get(name, default)
        if self.is_xml and isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,10}\s*", value):
            value = int(value)
        if type(value) is not int or not least <= value <= most:
            self.fail_field(name, f"a whole number from {least} to {most:,}")
        return value

    def share(self, name: str, default: float) -> float:
        """Read a finite number of at least 0."""
        value = self.fields.get(name, default)
        try:
            number = float(value) if self.is_xml or type(value) in (int, float) else -1.0
        except (TypeError, ValueError, OverflowError):
            number = -1.0
        if not isfinite(number) or number < 0:
            self.fail_field(name, "a number of at least 0")
        return number

    def flag(self, name: str, default: bool = False) -> bool:
        """Read a truth value."""
        value = self.fields.get(name, default)
        if self.is_xml and isinstance(value, str):
            value = {"0": False, "1": True, "false": False, "true": True}.get(value)
        if type(value) is not bool:
            self.fail_field(name, "true or false")
        return value

    def wholes(self, name: str) -> list[int]:
        """Read whole numbers of at least 0: a list in JSON, text with commas in XML."""
        value = self.fields.get(name)
        if self.is_xml and isinstance(value, str) and re.fullmatch(r"[0-9]{1,10}(,[0-9]{1,10})*", value):
            value = [int(each) for each in value.split(",")]
        if not isinstance(value, list) or any(type(each) is not int or each < 0 for each in value):
            self.fail_field(name, "a list of whole numbers")
        return value

    def file(self, name: str, what: str) -> AnyFile:
        """The file that a field names, relative to the file of this node.

        Tiled writes relative paths such as `../sets/tiles.tsx` where it can. Absolute paths are refused, so
        that an untrusted file cannot read other places on this machine.
        """
        text = self.text(name)
        if not text or PureWindowsPath(text).anchor:
            self.fail_field(name, f"a path of {what} relative to this file; move it nearby and save again")
        return self.check_file(name, what, self.source.parent / text)

    def picture(self, name: str, opened: AnyFile) -> AnyFile:
        """The picture that a field names, in the folder of the file of this node or deeper.

        opened : the file that was opened, if it named this one; the picture may also be in its folder
        """
        text = self.text(name)
        path = find_inside(text, self.source, opened)
        if not text or path is None:
            place = "in the folder of this file or deeper"
            self.fail_field(name, f"a relative path of a picture {place}; move it there and save again")
        return self.check_file(name, "a picture", path)

    def check_file(self, name: str, what: str, path: AnyFile) -> AnyFile:
        """The path that a field names; raises if there is no such file."""
        try:
            found = path.is_file()
        except (OSError, ValueError):  # the name is too long, or not valid for a file
            found = False
        if not found:
            self.fail(f"names {what} {str(path)!r}, which does not exist", name)
        return path

    # --- child nodes ----------------------------------------------------------------------------

    def every(self, name: str) -> list[Node]:
        """The nodes in a list; empty if the list is missing."""
        value = self.fields.get(name, [])
        if not isinstance(value, list):
            self.fail_field(name, "a list")
        return [self.node(f"{name}[{number}]", each) for number, each in enumerate(value)]

    def child(self, name: str) -> Node:
        """A child node; an empty one if it is missing."""
        return self.node(name, self.fields.get(name, {}))

    def node(self, name: str, value: object) -> Node:
        """Wrap a value as a child node."""
        if isinstance(value, Node):
            return value
        if not isinstance(value, dict):
            raise FormatError(f"{self.where(name)}: expected an object {{…}}, not {shorten(value)}")
        return Node(self.source, self.place if self.is_xml else self.path(name), value)

    def custom(self, name: str) -> str | None:
        """The custom property of this name, which must be text; None if it is missing."""
        listed = self.fields.get("properties")
        if isinstance(listed, dict):  # before Tiled 1.2
            return self.child("properties").text(name) if name in listed else None
        found = [each for each in self.every("properties") if each.fields.get("name") == name]
        return found[0].text("value", "") if found else None

    # --- errors ---------------------------------------------------------------------------------

    @property
    def is_xml(self) -> bool:
        """Whether the file is XML, in which all values are text."""
        return isinstance(self.place, Element)

    def where(self, name: str = "") -> str:
        """The file and the place of a field, for messages."""
        if isinstance(self.place, Element):
            return f"{str(self.source)!r}, line {self.place.line}: {f'{name} of ' * bool(name)}{self.place}"
        path = self.path(name)
        return f"{str(self.source)!r}, {path}" if path else repr(str(self.source))

    def path(self, name: str) -> str:
        """The path of a field in JSON: `layers[0].data`."""
        return f"{self.place}.{name}".strip(".")

    def fail_field(self, name: str, expected: str) -> NoReturn:
        """Raise for a missing or invalid field."""
        found = shorten(self.fields[name]) + " is not" if name in self.fields else "is missing; expected"
        raise FormatError(f"{self.where(name)}: {found} {expected}")

    def fail(self, problem: str, name: str = "") -> NoReturn:
        """Raise with the file, the place and the problem."""
        raise FormatError(f"{self.where(name)} {problem}")


def is_unicode(text: str) -> bool:
    """Whether text has no lone surrogates, which JSON can contain but UTF-8 cannot."""
    return text.isascii() or not re.search("[\ud800-\udfff]", text)


# --- JSON ---------------------------------------------------------------------------------------


def read_bytes(source: AnyFile) -> bytes:
    """The bytes of a file; raises if it is too large."""
    return read_limited(source, MOST_BYTES, "compress the layers, or save a smaller map")


def parse_json(source: AnyFile, data: bytes, most: int = MOST_ELEMENTS) -> Node:
    """The outermost object of a JSON file, which may have at most `most` objects and lists."""
    try:
        value = parse_limited_json(data, most)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"{str(source)!r}, line {error.lineno}: not valid JSON: {error.msg.lower()}"
        ) from None
    except ValueError as error:  # invalid UTF-8, an invalid number, or too many objects
        raise FormatError(f"{str(source)!r}: not valid JSON: {error}") from None
    return Node(source, "", {}).node("", value)


# --- XML ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Element:
    """An element of an XML file, and the line on which it starts."""

    source: AnyFile
    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)  # parts of the element's own text

    def __str__(self) -> str:
        shown = "".join(f' {name}="{value[:40]}"' for name, value in list(self.attributes.items())[:4])
        return f"<{self.tag}{shown}>"

    @property
    def text(self) -> str:
        """The text of this element, without that of its children."""
        return "".join(self.pieces)

    def every(self, tag: str) -> list[Element]:
        """The children with this tag."""
        return [child for child in self.children if child.tag == tag]

    def only(self, tag: str) -> Element:
        """The only child with this tag; raises unless there is exactly one."""
        found = self.every(tag)
        if len(found) != 1:
            self.fail(f"has {len(found) or 'no'} <{tag}>; expected exactly one")
        return found[0]

    def attribute(self, name: str) -> str:
        """A required attribute."""
        if name not in self.attributes:
            self.fail(f"has no attribute {name!r}")
        return self.attributes[name]

    def fail(self, problem: str) -> NoReturn:
        """Raise with the file, the line, the element and the problem."""
        raise FormatError(f"{str(self.source)!r}, line {self.line}: {self} {problem}")


class XmlReader:
    """Reads XML into elements, and refuses entities, which can expand without limit.

    `xml.etree` drops line numbers, which error messages need, so this class uses expat directly.
    """

    def __init__(self, source: AnyFile) -> None:
        self.source = source
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.CharacterDataHandler = self.characters
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.check_doctype
        self.top = Element(source, "", {}, 0)
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
        """Handle the start of an element."""
        element = Element(self.source, tag, attributes, self.parser.CurrentLineNumber)
        self.count += 1
        if self.count > MOST_ELEMENTS:
            element.fail(f"is one too many; at most {MOST_ELEMENTS:,} elements can be read")
        if len(self.open) > MOST_NESTED:
            element.fail(f"is nested too deeply; at most {MOST_NESTED} levels can be read")
        self.open[-1].children.append(element)
        self.open.append(element)

    def characters(self, text: str) -> None:
        """Handle a piece of text."""
        self.open[-1].pieces.append(text)

    def end(self, tag: str) -> None:
        """Handle the end of the innermost element; expat has checked the tag."""
        self.open.pop()

    def check_doctype(self, name: str, system: str | None, public: str | None, defines: bool) -> None:
        """Raise for a document type that defines entities.

        A document type that only names a file is accepted, because the file is never read. Tiled before 0.9
        wrote such documents.
        """
        if defines:
            line = self.parser.CurrentLineNumber
            raise FormatError(f"{str(self.source)!r}, line {line}: <!DOCTYPE {name}> is refused; remove it")
