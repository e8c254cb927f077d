"""Control of an engine: the ladder of strategies for a search that is stuck, and regions with fixed cells.

The arrays belong to `solver.engine`, which imports nothing from here; the options are `solver.heuristics`.
Start with `ladder`, then `region`; `auto_order` chooses an order for given rules, `callbacks` calls functions
of the user.
"""
