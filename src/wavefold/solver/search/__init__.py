"""Control of an engine: the ladder of strategies for a stuck search, and regions with fixed cells.

Start with `ladder`, then `region`. `auto_order` chooses an order for given rules; `callbacks` makes functions
of the user callable from kernels. `solver.engine` imports nothing from here.
"""
