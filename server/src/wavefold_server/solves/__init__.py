"""Maps on request: small ones at once, large ones as jobs in the background.

`models` says what a request may contain, `build` turns it into arguments of `wf.generate`, `run` makes the
map, `jobs` is the queue and `store` the database, `results` and `events` are what a client can have of a map;
`solves` joins them and `routes` answers. Solvers that a client controls step by step are sessions of their
own, in `live`. Start reading with `models`, then `solves`.
"""
