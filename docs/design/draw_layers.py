"""Draw `layers.svg` from the import contract in `pyproject.toml`: run it after a change of the layers.

    python docs/design/draw_layers.py

`tests/test_design.py` fails when the picture is not what this script draws, so it cannot go stale.
"""

from __future__ import annotations

import tomllib
from html import escape
from pathlib import Path

HERE = Path(__file__).parent
CONTRACT = HERE.parents[1] / "pyproject.toml"
PICTURE = HERE / "layers.svg"

WIDTH, ROW, GAP, MARGIN = 640, 34, 8, 16  # pixels
STYLE = """
rect { fill: #eef3f8; stroke: #7b93ab; rx: 5 }
text { font: 15px sans-serif; fill: #1d2b3a; text-anchor: middle; dominant-baseline: central }
.arrow { fill: none; stroke: #7b93ab; stroke-width: 2; marker-end: url(#head) }
.note { font-size: 12px; fill: #5a6b7c }
"""


def read_layers() -> list[list[str]]:
    """The layers of the contract, highest first; packages of one layer do not import each other."""
    contracts = tomllib.loads(CONTRACT.read_text())["tool"]["importlinter"]["contracts"]
    (contract,) = (each for each in contracts if each.get("containers") == ["wavefold"])
    # (brackets) mark a package that need not exist
    return [[part.strip(" ()") for part in layer.split(":")] for layer in contract["layers"]]


def existing_layers() -> list[list[str]]:
    """The same without packages that do not exist yet."""
    source = CONTRACT.parent / "src/wavefold"
    found = [
        [name for name in layer if (source / name).is_dir() or (source / f"{name}.py").is_file()]
        for layer in read_layers()
    ]
    return [layer for layer in found if layer]


def draw(layers: list[list[str]]) -> str:
    """One row a layer, one box a package, and an arrow that says which way imports point."""
    height = 2 * MARGIN + len(layers) * (ROW + GAP) - GAP
    left, right = MARGIN, WIDTH - 72
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" role="img" aria-label="The layers of wavefold, highest first">',
        f"<style>{STYLE}</style>",
        '<defs><marker id="head" orient="auto" markerWidth="8" markerHeight="8" refX="6" refY="4">'
        '<path d="M0 0 8 4 0 8z" fill="#7b93ab"/></marker></defs>',
    ]
    for row, layer in enumerate(layers):
        top = MARGIN + row * (ROW + GAP)
        wide = (right - left - GAP * (len(layer) - 1)) / len(layer)
        for column, name in enumerate(layer):
            x = left + column * (wide + GAP)
            lines.append(f'<rect x="{x:g}" y="{top}" width="{wide:g}" height="{ROW}"/>')
            lines.append(f'<text x="{x + wide / 2:g}" y="{top + ROW / 2:g}">{escape(name)}</text>')
    lines.append(f'<path class="arrow" d="M{WIDTH - 36} {MARGIN + 24}V{height - MARGIN}"/>')
    lines.append(f'<text class="note" x="{WIDTH - 36}" y="{MARGIN + 8}">imports</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(draw(existing_layers()))
