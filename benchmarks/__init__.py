"""The benchmark: how fast, how large and how reliable the solver is on this machine, beside goals.

Each section is a function from `Setup` to a `FigureSection`; `SECTIONS` of `run`, where to start, lists them
all. Slower solvers to compare with are in `parts`.
"""

from benchmarks.run import main

__all__ = ["main"]
