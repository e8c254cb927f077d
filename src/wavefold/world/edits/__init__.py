"""Edits of a world: what users ask for, the cells that change for it, and the log that keeps both.

The untouched world is made in `world.generator`; files and stores are elsewhere. Start with `edit`, then
`solve`.
"""
