"""Parts for wavefold: triangles, a tile set for them, a constraint, a file format and a diagnostic.

wavefold finds them by the entry points in `pyproject.toml`, and imports a module when its part is named.
"""
