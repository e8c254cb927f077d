"""Compare joins: run them with many seeds, and tabulate and plot the results.

Start with `run`; `page` writes the HTML report. The joins are in `patchwork.joins`.
"""
