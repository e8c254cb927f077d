"""The parts of a world, for the modules that save, draw and serve it."""

from __future__ import annotations

from dataclasses import dataclass

from wavefold.worlds.edits.log import EditLog, Editor
from wavefold.worlds.generator import ChunkGenerator
from wavefold.worlds.persistence import WorldFile
from wavefold.worlds.refining import Refining
from wavefold.worlds.streaming.delivery import ChunkDelivery


@dataclass(slots=True)
class WorldParts:
    """The parts of a world; `world.parts` is for code that stores or shows worlds, not for edits.

    file : the store that the world is saved in; None without one
    """

    generator: ChunkGenerator
    refining: Refining | None
    log: EditLog
    editor: Editor
    delivery: ChunkDelivery
    file: WorldFile | None = None
