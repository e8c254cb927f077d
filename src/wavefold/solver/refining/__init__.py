"""Refining finished maps: windows are proposed anew until no trace of the order of decisions is left.

What a map's probability is, and how windows are accepted, is in `kernels.refine_sweep`; asked frequencies are in
`activities`. Start with `refine`.
"""
