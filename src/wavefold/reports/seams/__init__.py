"""Comparison of a world's seams with its interiors."""
