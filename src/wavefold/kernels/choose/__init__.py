"""Decisions: which cell is next, and which pattern it becomes."""
