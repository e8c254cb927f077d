"""Maps as three-dimensional scenes.

A pattern becomes a solid of triangles (`solid`), and `glb` writes the scene with a node for each cell. Flat
pictures of the same maps are drawn by `render`. Start with `glb`.
"""
