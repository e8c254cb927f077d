"""Patchworks: maps that grow grid by grid, and are stored after each change.

`models` says what requests contain, `build` turns them into arguments of `wf.Patchwork`, `store` has the
rows, `patchworks` changes and reads them one at a time, `routes` answers. Start reading with
`patchworks`.
"""
