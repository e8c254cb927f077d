"""Maps on request: small ones at once, large ones as jobs in the background.

`models` says what a request may contain, `build` turns it into arguments of `wf.generate`, `solves` runs and
stores it, `routes` answers. Solvers that a client controls step by step are sessions of their own. Start
reading with `models`.
"""
