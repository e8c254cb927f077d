"""Maps as pictures. `solution.image()` and `solution.save("map.png")` find these by name."""

from wavefold.render.draw import draw
from wavefold.render.save import save_picture

__all__ = ["draw", "save_picture"]
