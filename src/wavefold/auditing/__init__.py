"""What a tile set can and cannot do: dead ends, corners nothing fits, repeating maps, trials, advice.

Quick checks for mistakes are in `tiles.lint`; the terminal's tables are in `cli`. Start with `run`, which
goes through all stages; `report` holds what they find, and `page` draws it. (The package is not called
`audit`, because importing a package of that name would hide the function `wavefold.audit`.)
"""

from wavefold.auditing.report import Audit
from wavefold.auditing.run import audit
from wavefold.solver.search.certificate import Certificate, find_certificate

__all__ = ["Audit", "Certificate", "audit", "find_certificate"]
