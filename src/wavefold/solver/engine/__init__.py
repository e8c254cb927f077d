"""The engine: the arrays of one search and the kernels that work on them.

Only this package writes kernel state. Names, budgets and explanations are in `solver`; what to do when a
search is stuck is in `solver.search`. Start with `engine`.
"""
