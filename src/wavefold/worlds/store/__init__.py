"""One SQLite file per world: its header, tiles, fields and edits, and finished chunks as a cache.

The meaning of the bytes is in `worlds.codec`; `worlds.persistence` decides when they are written. Start with
`store`.
"""
