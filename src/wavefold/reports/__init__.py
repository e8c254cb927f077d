"""Reports on maps and tile sets: checker, audits, measurements, seams, comparisons of joins, diagnostics."""
