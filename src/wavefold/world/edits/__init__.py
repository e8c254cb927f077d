"""Edits of a world: what users ask for, the cells that change for it, and the log of both.

The world without edits is generated in `world.generator`; the log is stored in `world.store`. Start with
`edit` and `log`, then `solve`.
"""
