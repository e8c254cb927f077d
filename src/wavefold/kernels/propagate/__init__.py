"""Propagation: remove patterns without support until a fixpoint is reached. There is one file per method."""
