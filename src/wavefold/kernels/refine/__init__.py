"""Refining: windows of a finished map are proposed, propagated, tested and accepted. Start with `sweep`."""
