"""`search="sat"`: a problem as clauses for an external SAT solver (extra `wavefold[exact]`).

Nothing else in wavefold depends on it. Start with `solve`; `encoding` writes the clauses.
"""
