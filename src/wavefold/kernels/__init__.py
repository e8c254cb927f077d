"""Compiled loops over arrays. Cells and patterns are numbers here; the solver maps names to them.

Start with `structs`, which documents every array and its axes, then read `search`, the main loop. It calls
`choose`, `propagate` and `constraints`. `refine` changes finished maps. `compile` builds the library. `host`
is not compiled: it loads the library and has the Python code that runs between calls of kernels. See
docs/design/kernels.md.
"""
