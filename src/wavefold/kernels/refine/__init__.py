"""Refining: propose new content for windows of a finished map and accept or reject it. Start with `sweep`."""
