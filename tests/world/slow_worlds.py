"""Worlds whose windows wait to be let through: what happens in time, without waiting for time."""

import threading

from support import PIPES
from wavefold.kernels.jit import COMPILED
from wavefold.world import World
from wavefold.world.plan import INTERIOR

CHUNK = 24 if COMPILED else 10
RADIUS = 5 if COMPILED else 4


def small_world(tiles=PIPES, seed=7):
    """A world of few cells."""
    return World(tiles, seed, CHUNK, radius=RADIUS)


class Gate:
    """Stands before the windows of a world: they wait there to be made while it is closed."""

    def __init__(self, world, only_interiors=False):
        self.open = threading.Event()
        self.arrived = threading.Event()  # somebody stands before it
        self.passed = []  # the windows that went through
        self._only_interiors = only_interiors
        self._renewed = world._generator._renewed
        world._generator._renewed = self

    def __call__(self, window):
        if not self._only_interiors or window.stage == INTERIOR:
            self.arrived.set()
            assert self.open.wait(60)
        self.passed.append(window)
        return self._renewed(window)


def with_borders(world, *places):
    """The same world with everything made around these chunks, but not their insides."""
    for i, j in places:
        for window in world.plan.for_chunk(i, j)[:-1]:
            world._generator.window(window)
    return world
