"""An endless world that a page looks at: map tiles, drawn by the kernel when they come into view."""

from __future__ import annotations

from typing import Any

from wavefold import draw_map_tile
from wavefold.errors import WavefoldError
from wavefold.worlds import World
from wavefold_server.notebook.solver_board import Reply

TILE_MS = 120.0  # the kernel is free again after so long; what was not in time is asked for again


class WorldBoard:
    """Questions of a page about one world."""

    def __init__(self, world: World) -> None:
        self.world = world

    def handle(self, message: Any) -> Reply:
        """Answer a page. What goes wrong is part of the answer."""
        try:
            if message["command"] == "open":
                return Reply(self._describe(), [])
            z, x, y = (int(message[name]) for name in ("z", "x", "y"))
            tile = draw_map_tile(self.world, z, x, y, budget=TILE_MS)
        except WavefoldError as error:
            return Reply({"error": str(error)}, [])
        except (KeyError, TypeError, ValueError):
            return Reply({"error": "this page and the kernel do not fit together: show the world again"}, [])
        return Reply(
            {"how": tile.how if tile.is_final else "provisional", "revision": tile.revision}, [tile.png]
        )

    def _describe(self) -> dict[str, Any]:
        about = {"kind": self.world.tiles.topology, "name": self.world.tiles.name, "seed": self.world.seed}
        return about | {"revision": self.world.revision}
