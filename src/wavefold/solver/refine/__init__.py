"""Refine finished maps: solve windows again until the order of decisions no longer shows.

Start with `refine`. `kernels.refine.sweep` proposes and accepts windows; `activities` corrects frequencies.
"""
