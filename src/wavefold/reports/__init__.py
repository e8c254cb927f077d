"""Reports on maps and tile sets: checker, audit, measurements, seams, join comparison, diagnostics."""
