"""What drives an engine: the ladder of what to do when a search is stuck, and regions with fixed cells.

The arrays belong to `solver.engine`, which imports nothing from here; the options are `solver.heuristics`.
Start with `ladder`, then `region`; `auto_order` chooses an order for given rules, `callbacks` calls functions
of the user.
"""
