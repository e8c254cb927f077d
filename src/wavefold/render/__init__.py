"""Pictures of maps (PNG, SVG, animations, contact sheets), and elements of HTML pages.

Worlds and patchworks draw their own pictures. `solution.image()` and `solution.save("map.png")` find the
renderers here by name. Start with `draw`; each kind of grid has a `canvas`.
"""

from wavefold.render.animation import Animation, Recording, animate
from wavefold.render.animation_files import write_apng, write_gif, write_mp4, write_webp
from wavefold.render.cell_looks import compute_mean_colours, find_highest_entropy, get_cell_weights
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
    "compute_mean_colours",
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
    "get_cell_weights",
    "make_canvas",
    "page",
    "preview",
    "save_picture",
    "save_svg",
    "svg",
    "table_of_rows",
    "write_apng",
    "write_gif",
    "write_mp4",
    "write_webp",
]
