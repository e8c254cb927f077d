"""Compare ways to join grids: run them over many seeds, tabulate and plot the results.

The joins themselves are in `patchwork.joins`. Start with `run`; `page` writes the HTML report.
"""
