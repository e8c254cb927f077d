"""Finished chunks and edits in a SQLite file, shared by threads and processes.

It is a cache and a log: what it holds can be made again from the world's parameters. Start with `store`.
"""
