"""HTML pages in one file: elements with escaped text, embedded pictures, and the page around them.

Audits and comparisons of joins are pages in one file. No template engine is used: nearly all of a page is
computed (tables, plots, shortened lists), and functions that return `Markup` can be typed and tested.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from PIL import Image

from wavefold.storage.files import write_atomically
from wavefold.storage.png import encode_image

STYLE = Path(__file__).with_name("page.css")
META = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'


class Markup(str):
    """Text that is already HTML. All other text is escaped when it is added to an element."""

    __slots__ = ()


def element(name: str, *children: object, **attributes: object) -> Markup:
    """Make <name attribute="…">children</name>; attributes that are None are left out.

    In names of attributes, `_` is replaced by a dash; at the end it is removed.

    >>> element("p", "1 < 2", class_="sum")
    '<p class="sum">1 &lt; 2</p>'
    """
    return Markup(f"<{name}{format_attributes(attributes)}>{concatenate(children)}</{name}>")


def format_attributes(attributes: dict[str, object]) -> str:
    """Format the attributes of a tag, each after a space."""
    return "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )


def concatenate(parts: Iterable[object]) -> Markup:
    """Join parts; those that are not `Markup` are escaped."""
    return Markup("".join(part if isinstance(part, Markup) else escape(str(part)) for part in parts))


def page(title: str, *body: object, class_: str | None = None, more_style: str = "") -> str:
    """Make a document with an embedded style sheet; `more_style` is CSS appended to it."""
    style = element("style", Markup(STYLE.read_text("utf-8") + more_style))
    head = element("head", Markup(META), element("title", title), style)
    return f"<!doctype html>\n{element('html', head, element('body', *body, class_=class_), lang='en')}\n"


def save_page(text: str, path: str | os.PathLike[str]) -> None:
    """Write a page as UTF-8, atomically."""
    with write_atomically(path) as file:
        file.write(text.encode("utf-8"))


def section(heading: str, *parts: object) -> Markup:
    """A heading followed by parts; plain text becomes a paragraph."""
    below = (part if isinstance(part, Markup) else element("p", part) for part in parts)
    return concatenate([element("h2", heading), *below])


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> Markup:
    """A table that scrolls if it is too wide, with numbers aligned to the right."""
    return table_of_rows(headings, [element("tr", *(table_cell(value) for value in row)) for row in rows])


def table_of_rows(headings: Sequence[str], rows: Iterable[Markup], class_: str | None = None) -> Markup:
    """A table of <tr> elements that scrolls if it is too wide."""
    head = element("tr", *(element("th", heading, scope="col") for heading in headings))
    content = [element("thead", head), element("tbody", *rows)]
    return element("div", element("table", *content, class_=class_), class_="wide")


def table_cell(value: object) -> Markup:
    if isinstance(value, int | float):
        text = f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
        return element("td", text, class_="number")
    return element("td", value)


def details(summary: str, *children: object) -> Markup:
    """Content that is hidden until the reader opens it."""
    return element("details", element("summary", summary), *children)


def card(label: str, value: object, note: str = "", grade: str = "") -> Markup:
    """One figure with its label; the grade is "good", "poor", "bad" or none."""
    small = element("small", note) if note else ""
    return element("div", element("span", label), element("b", value), small, class_=f"card {grade}".rstrip())


def cards(*shown: Markup) -> Markup:
    return element("div", *shown, class_="cards")


def figure(content: Markup, *caption: object) -> Markup:
    """A picture or plot with its caption below."""
    return element("figure", content, element("figcaption", *caption))


def legend(entries: Iterable[tuple[str, str]]) -> Markup:
    """A legend of colours, given as pairs (class of the colour, words)."""
    shown = [element("span", element("i", class_=f"swatch {colour}"), words) for colour, words in entries]
    return element("p", *shown, class_="legend")


def image_element(image: Image.Image, alt: str, width: int | None = None) -> Markup:
    """An <img> with embedded data; `width` is in pixels of the page."""
    attributes: dict[str, object] = {
        "alt": alt,
        "src": embed_image(image, width),
        "style": None if width is None else f"width:{width}px",
        "class": "sharp" if width is not None and image.width < width else None,
    }
    return Markup(f"<img{format_attributes(attributes)}>")


def embed_image(image: Image.Image, width: int | None = None) -> str:
    """The image as a data URI, reduced to at most twice `width`, for screens with high resolution."""
    if width is not None and image.width > 2 * width:
        height = max(1, 2 * width * image.height // image.width)
        image = image.resize((2 * width, height), Image.Resampling.BOX)
    return make_data_uri(image)


def make_data_uri(image: Image.Image) -> str:
    """The image as a data URI in PNG format."""
    return f"data:image/png;base64,{b64encode(encode_image(image)).decode('ascii')}"


# --- box plots --------------------------------------------------------------------------------------
