"""What a tile set can and cannot do, before anyone waits for a map."""

from wavefold.auditing.certificate import Certificate, find_certificate
from wavefold.auditing.report import Audit
from wavefold.auditing.run import audit

__all__ = ["Audit", "Certificate", "audit", "find_certificate"]
