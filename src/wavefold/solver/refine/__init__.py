"""Refine finished maps: windows are proposed again until no trace of the order of decisions is left.

How windows are proposed and accepted is in `kernels.refine.sweep`; how target frequencies are reached is in
`activities`. Start with `refine`.
"""
