"""The style sheets of the studio: each class belongs to one sheet, and nothing is styled that no page has."""

import re

from wavefold_server.studio import PAGES

SHEETS = {  # the notebook's is in a shadow tree, and has what the page's layout has
    path.name: re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    for path in sorted((PAGES / "css").glob("*.css"))
    if path.name != "notebook.css"
}
CLASS = re.compile(r"\.([A-Za-z][\w-]*)")
STRINGS = re.compile(r'"[^"\n]*"|`[^`]*`')


def list_selectors(text):
    for rule in re.findall(r"([^{}@;]+)\{", text):
        yield from re.split(r",(?![^(]*\))", rule)


def test_a_class_is_styled_in_one_sheet():
    """A selector belongs to its first class: what stands in it may be styled differently there."""
    owners: dict[str, set[str]] = {}
    for name, text in SHEETS.items():
        for selector in list_selectors(text):
            for first in CLASS.findall(selector)[:1]:
                owners.setdefault(first, set()).add(name)
    assert {first: names for first, names in owners.items() if len(names) > 1} == {}


def test_every_class_that_is_styled_is_used():
    scripts = [path.read_text() for path in PAGES.rglob("*.js") if path.name != "three.bundle.js"]
    used = set(re.findall(r"[\w-]+", (PAGES / "index.html").read_text()))
    for script in scripts:
        for text in STRINGS.findall(script):
            used |= set(re.findall(r"[A-Za-z][\w-]*", text))
    styled = {each for text in SHEETS.values() for selector in list_selectors(text)
              for each in CLASS.findall(selector)}  # fmt: skip
    assert styled
    assert styled - used == set()
