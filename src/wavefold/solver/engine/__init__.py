"""The engine: the arrays of one search and the kernels that work on them.

Only this package writes kernel state. Names, budgets and explanations live above it, in `solver`; what to do
when a search is stuck, in `solver.search`. Start with `engine`.
"""
