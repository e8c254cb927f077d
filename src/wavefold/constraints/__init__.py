"""Rules about more than two touching cells. Each is a small class with `prune` and `violations`."""

from wavefold.constraints.count import Count

__all__ = ["Count"]
