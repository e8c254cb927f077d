"""Edits of a world: the requested tiles, the cells that change for them, and the log of both.

The world without edits is generated in `world.generator`; the log is stored in `world.store`. Start with
`edit` and `log`, then `solve`.
"""
