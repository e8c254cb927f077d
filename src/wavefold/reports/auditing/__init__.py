"""The audit of a tile set: dead ends, impossible corners, repeating maps, trials, advice.

Start with `run`, which runs all stages; `report` holds their results, and `page` draws them. `tiles.lint` has
quick checks, and `cli` the tables for terminals. (The package is not called `audit`, because its import would
hide the function `wavefold.audit`.)
"""

from wavefold.reports.auditing.report import Audit
from wavefold.reports.auditing.run import audit
from wavefold.solver.search.certificate import Certificate, find_certificate

__all__ = ["Audit", "Certificate", "audit", "find_certificate"]
