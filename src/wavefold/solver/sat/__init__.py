"""Search by a SAT solver: the encoding of a problem, and the search."""
