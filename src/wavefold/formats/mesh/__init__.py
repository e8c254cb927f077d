"""Maps as three-dimensional scenes.

A pattern becomes a solid (`solid`: triangles; `prism` of hexagons, `voxel` of cubes); `glb` writes them.
Flat pictures of the same maps are drawn by `render`. Start with `glb`.
"""
