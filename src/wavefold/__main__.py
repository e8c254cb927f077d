"""The process of the command, `wavefold` or `python -m wavefold`. Before all else, it watches signals."""

from wavefold.cli.interrupts import run_interruptibly, watch_signals

watch_signals()


def main() -> int:
    """Run the command line; the exit code."""
    from wavefold.cli import run

    return run_interruptibly(run)


if __name__ == "__main__":
    raise SystemExit(main())
