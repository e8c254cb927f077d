"""Refining finished maps: windows are proposed anew until no trace of the order of decisions is left.

How windows are proposed and accepted is in `kernels.refine_sweep`; how asked frequencies are reached, in
`activities`. Start with `refine`.
"""
