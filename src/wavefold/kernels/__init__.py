"""Compiled loops over arrays. Nothing here deals with tile names, files or users: the solver numbers those.

Start with `structs` (every array and its axes), then `search` (the loop), which calls `choose`, `propagate`
and `constraints`. `refine` changes finished maps. `compile` turns all of it into one library ahead of time;
`host` is the Python side: it loads the library and works between calls. See docs/design/kernels.md.
"""
