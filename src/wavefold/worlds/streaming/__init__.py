"""Delivery of chunks in time: jobs, a scheduler, time budgets, and prefetching around a viewport.

Start with `delivery`, then `scheduler`. `worlds.generator` generates chunks, independently of this package.
"""
