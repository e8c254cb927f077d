"""Maps as pictures. `solution.image()` and `solution.save("map.png")` find these by name."""

from wavefold.render.animation import Animation
from wavefold.render.animation_files import write_apng, write_gif, write_mp4, write_webp
from wavefold.render.draw import draw, preview
from wavefold.render.recording import Recording, animate
from wavefold.render.save import save_picture
from wavefold.render.sheet import contact_sheet
from wavefold.render.svg import save_svg, svg

__all__ = [
    "Animation",
    "Recording",
    "animate",
    "contact_sheet",
    "draw",
    "preview",
    "save_picture",
    "save_svg",
    "svg",
    "write_apng",
    "write_gif",
    "write_mp4",
    "write_webp",
]
