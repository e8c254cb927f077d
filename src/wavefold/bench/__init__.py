"""The benchmark: how fast, how large and how reliable the solver is on this machine, beside goals.

Each section is a function from `Setup` to a `Section` of figures, in `maps`, `worlds`, `parts`, `scaling` and
`reference`; slower solvers to compare with are in `baselines`. Start with `run`, which calls them in turn.
"""

from wavefold.bench.run import main

__all__ = ["main"]
