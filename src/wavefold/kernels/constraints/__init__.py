"""Rules about more than two cells: near rules, applied after each propagation, and networks."""
