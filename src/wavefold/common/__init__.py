"""Small tools that several layers share: files, caches, seeds, and values as users write them.

Nothing here knows of tiles, maps or solving; what belongs to one layer alone stays in that layer.
Start with `files` (written whole or not at all) and `cache` (bounded, shared by threads).
"""
