"""Edits of a world: the requested tiles, the changed cells, and the log of both.

Start with `edit` and `log`, then `solve`. `worlds.generator` generates the world without edits;
`worlds.store` stores the log.
"""
