"""Elements of an HTML page: all text is escaped, all pictures are inside the file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from io import BytesIO

from PIL import Image


class Markup(str):
    """Text that is already HTML. Whatever is not of this class is escaped when it becomes part of some."""

    __slots__ = ()


def element(name: str, *children: object, **attributes: object) -> Markup:
    """<name attribute="…">children</name>. In attributes `_` is a dash, and left out at the end.

    >>> element("p", "1 < 2", class_="sum")
    '<p class="sum">1 &lt; 2</p>'
    """
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{words}>{concatenate(children)}</{name}>")


def concatenate(parts: Iterable[object]) -> Markup:
    """One after another."""
    return Markup("".join(part if isinstance(part, Markup) else escape(str(part)) for part in parts))


def table(headings: Sequence[str], rows: Iterable[Sequence[object]], class_: str = "") -> Markup:
    """A table that scrolls by itself if it is too wide. Numbers stand to the right."""
    head = element("tr", *(element("th", heading, scope="col") for heading in headings))
    body = [element("tr", *(table_cell(value) for value in row)) for row in rows]
    content = concatenate([element("thead", head), element("tbody", *body)])
    return element("div", element("table", content, class_=class_ or None), class_="wide")


def table_cell(value: object) -> Markup:
    if isinstance(value, int | float):
        text = f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
        return element("td", text, class_="number")
    return element("td", value)


def details(summary: str, *children: object) -> Markup:
    """What is shown when asked for."""
    return element("details", element("summary", summary), *children)


def card(label: str, value: object, note: str = "", mood: str = "") -> Markup:
    """One figure; its mood is "good", "poor", "bad" or none."""
    small = element("small", note) if note else ""
    return element("div", element("span", label), element("b", value), small, class_=f"card {mood}".rstrip())


def image_element(image: Image.Image, alt: str, width: int | None = None) -> Markup:
    """An <img> that carries its own pixels. `width` is in pixels of the page."""
    sharp = "sharp" if width is not None and image.width < width else None
    style = None if width is None else f"width:{width}px"
    words = {"alt": alt, "src": data_uri(image, width), "style": style, "class": sharp}
    given = "".join(f' {key}="{escape(text)}"' for key, text in words.items() if text is not None)
    return Markup(f"<img{given}>")


def data_uri(image: Image.Image, width: int | None = None) -> str:
    """The image as an address: a PNG that stands in the page itself."""
    if width is not None and image.width > 2 * width:  # twice as many are enough for any screen
        height = max(1, 2 * width * image.height // image.width)
        image = image.resize((2 * width, height), Image.Resampling.BOX)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{b64encode(file.getvalue()).decode('ascii')}"
