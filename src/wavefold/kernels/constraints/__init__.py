"""Propagators, which implement constraints: near rules, applied after each propagation, and networks."""
