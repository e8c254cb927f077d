"""Chunks on time: jobs, a scheduler, time budgets, and prefetching along the way of a camera.

What a chunk contains is decided in `world.generator` and never depends on anything here. Every part takes its
clock as an argument. Start with `delivery`, then `scheduler`.
"""
