"""Compiles the kernels ahead of time: one library, or one object file for each kind of processor.

Only the build needs this package, and Numba: `python -m wavefold.kernels.compile`. The steps are

    kernels in Python -> units (Numba: LLVM code of each) -> module (one program, optimised for a target)
    -> link (a library)
"""
