"""What to try: which cell and pattern come next, and what to do when a search is stuck.

The loops themselves are kernels, and the arrays belong to `solver.engine`. Start with `heuristics`, then
`ladder`; `auto_order` chooses an order for given rules, `callbacks` calls functions of the user.
"""
