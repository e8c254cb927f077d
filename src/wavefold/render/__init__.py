"""Pictures of maps: PNG, SVG, animations of a solve, contact sheets; and the building blocks of HTML pages.

What tiles look like is in `tiles`; pictures of worlds and patchworks are in their packages. Start with
`draw`; each kind of grid has a `canvas`. `solution.image()` and `solution.save("map.png")` find them by name.
"""

from wavefold.render.animation import Animation, Recording, animate
from wavefold.render.animation_files import write_apng, write_gif, write_mp4, write_webp
from wavefold.render.cell_looks import find_highest_entropy, mean_colours, weights_of
from wavefold.render.draw import (
    contact_sheet,
    draw,
    draw_counts,
    draw_entropy,
    draw_tiles,
    enlarge,
    make_canvas,
    preview,
    save_picture,
)
from wavefold.render.hexes import HexRaster
from wavefold.render.html import Markup, concatenate, details, element, page, table_of_rows
from wavefold.render.isometric import draw_block_picture
from wavefold.render.svg import save_svg, svg

__all__ = [
    "Animation",
    "HexRaster",
    "Markup",
    "Recording",
    "animate",
    "concatenate",
    "contact_sheet",
    "details",
    "draw",
    "draw_block_picture",
    "draw_counts",
    "draw_entropy",
    "draw_tiles",
    "element",
    "enlarge",
    "find_highest_entropy",
    "make_canvas",
    "mean_colours",
    "page",
    "preview",
    "save_picture",
    "save_svg",
    "svg",
    "table_of_rows",
    "weights_of",
    "write_apng",
    "write_gif",
    "write_mp4",
    "write_webp",
]
