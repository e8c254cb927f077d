"""Decisions: the choice of the next cell and of its pattern."""
