"""Chunks on time: jobs, a scheduler, time budgets, and prefetching along the way of a camera.

What a chunk holds is decided in `world.generator` and never depends on anything here. Start with `budget`,
then `scheduler`.
"""
