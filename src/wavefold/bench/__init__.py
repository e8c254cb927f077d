"""The benchmark: how fast, how large, how sure, on this machine; every figure beside its goal."""

from wavefold.bench.run import main

__all__ = ["main"]
