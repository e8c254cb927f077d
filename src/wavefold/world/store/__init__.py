"""One SQLite file per world: its header, tiles, fields and edits, and finished chunks as a cache.

What the bytes mean is in `world.codec`; when they are written is decided in `world.persistence`. Start with
`store`.
"""
