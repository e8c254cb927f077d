"""The benchmark: how fast, how large and how reliable the solver is on this machine, beside goals.

Each section is a function from `Setup` to a `FigureSection`, in `maps`, `reference`, `worlds`, `parts`,
`propagations`, `wide_samples`, `constrained`, `waiting` and `start`; slower solvers to compare with are in
`parts`. Start with `run`, which calls them in turn.
"""

from wavefold.bench.run import main

__all__ = ["main"]
