"""The engine: the arrays of a search, and calls of the kernels that work on them.

Only this package writes the state of kernels. `solver` adds names, budgets and explanations;
`solver.search` decides what to do when a search is stuck. Start with `engine`.
"""
