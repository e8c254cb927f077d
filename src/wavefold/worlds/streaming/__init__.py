"""Chunks on time: jobs, a scheduler, time budgets, and prefetching around a viewport.

The content of a chunk comes from `world.generator` and never depends on this package. Every part takes its
clock as an argument. Start with `delivery`, then `scheduler`.
"""
