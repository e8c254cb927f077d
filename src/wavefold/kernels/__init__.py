"""Compiled loops over arrays: domains, propagation, the queue of cells, the search.

Nothing here deals with tile names, files or users: `solver.engine` translates those to numbers and calls the
kernels. Start with `structs` (every array and its axes), then `search`. `compile` turns all of it into one
library ahead of time, and `library` loads that; see docs/design/kernels.md.
"""
