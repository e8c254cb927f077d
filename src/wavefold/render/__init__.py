"""Pictures of maps: PNG and SVG, animations of a solve, contact sheets; and the parts of HTML pages.

What tiles look like is in `tiles`; pictures of worlds and patchworks are in their packages. Start with
`draw`; each kind of grid has a `canvas`. `solution.image()` and `solution.save("map.png")` find them by name.
"""

from wavefold.render.animation import Animation
from wavefold.render.animation_files import write_apng, write_gif, write_mp4, write_webp
from wavefold.render.draw import (
    contact_sheet,
    draw,
    draw_counts,
    draw_entropy,
    draw_tiles,
    preview,
    save_picture,
)
from wavefold.render.recording import Recording, animate
from wavefold.render.svg import save_svg, svg

__all__ = [
    "Animation",
    "Recording",
    "animate",
    "contact_sheet",
    "draw",
    "draw_counts",
    "draw_entropy",
    "draw_tiles",
    "preview",
    "save_picture",
    "save_svg",
    "svg",
    "write_apng",
    "write_gif",
    "write_mp4",
    "write_webp",
]
