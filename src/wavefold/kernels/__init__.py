"""Compiled loops over arrays: domains, propagation, the queue of cells, the search.

Nothing here deals with tile names, files or users: `solver.engine` translates those to numbers and calls the
kernels. Start with `structs` (every array and its axes), then `search`. `constants` imports only NumPy; all
other modules import Numba, so import them where the work starts, not at the top of anything the command line
needs for its help.
"""
