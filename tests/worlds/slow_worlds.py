"""Worlds whose windows wait to be let through: what happens in time, without waiting for time."""

import threading

import numpy as np

from support import PIPES
from wavefold.kernels.units import COMPILED
from wavefold.storage.cache import BoundedCache, array_bytes
from wavefold.worlds import World
from wavefold.worlds.plan import INTERIOR, Plan

CHUNK = 24 if COMPILED else 10
RADIUS = 5 if COMPILED else 4


def small_world(tiles=PIPES, seed=7, **options):
    """A world of few cells."""
    return World(tiles, seed, CHUNK, radius=RADIUS, **options)


class FakeGenerator:
    """Windows of a world without rules: there at once, all cells 0. `solved` lists them in order."""

    def __init__(self, plan=None):
        self.plan = plan or Plan(CHUNK, RADIUS, RADIUS - 1)
        self.cache = BoundedCache(1 << 20, array_bytes)
        self.chunk_store = self.on_draft = None
        self.solved = []

    def window(self, window):
        return self.cache.get(window.key, lambda: self._solve(window))

    def chunk(self, cx, cy):
        return self.window(self.plan.interior(cx, cy))

    def surroundings(self, window):
        return np.zeros((window.height + 2, window.width + 2), np.int32)

    def _solve(self, window):
        self.solved.append(window)
        return self.surroundings(window)[:-1, :-1]


class FakeClock:
    """Seconds that pass only by `pass_by`."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def pass_by(self, seconds):
        self.now += seconds


class Gate:
    """Stands before the windows of a world: they wait there to be made while it is closed."""

    def __init__(self, world, only_interiors=False):
        self.open = threading.Event()
        self.arrived = threading.Event()  # a thread waits at it
        self.passed = []  # the windows that went through
        self._only_interiors = only_interiors
        self._generate = world.parts.generator._generate
        world.parts.generator._generate = self

    def __call__(self, window):
        if not self._only_interiors or window.stage == INTERIOR:
            self.arrived.set()
            assert self.open.wait(300)
        self.passed.append(window)
        return self._generate(window)


def generate_borders(generator, *positions):
    """Generate everything around these chunks, but not their interiors."""
    for cx, cy in positions:
        for window in generator.plan.for_chunk(cx, cy)[:-1]:
            generator.window(window)


def with_borders(world, *places):
    """The same world with everything made around these chunks, but not their insides."""
    generate_borders(world.parts.generator, *places)
    return world
