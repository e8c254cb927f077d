"""Compile the kernels ahead of time into a library for each platform.

Only builds need this package and Numba. `python -m wavefold.kernels.compile` runs these steps:

    kernels in Python -> units (LLVM code, by Numba) -> module (one program, optimised for each processor)
    -> link (a library)
"""
