"""`python -m benchmarks`: the benchmark without the rest of the command line."""

from __future__ import annotations

import argparse
import sys

from benchmarks.run import main


def parse_arguments() -> argparse.Namespace:
    """The same options as `wavefold bench`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument("--against", help="a folder with reference kernels to compare with")
    parser.add_argument("--json", default="bench.json", dest="output", help="where to write the figures")
    parser.add_argument("--quick", action="store_true", help="fewer sizes and repetitions")
    return parser.parse_args()


if __name__ == "__main__":
    options = parse_arguments()
    sys.exit(main(options.against, options.output, options.quick))
