"""The entry point of `wavefold` and `python -m wavefold`. Signals are watched before other imports."""

from wavefold.cli.interrupts import run_interruptibly, watch_signals

watch_signals()


def main() -> int:
    """Run the command line and return the exit code."""
    from wavefold.cli import run

    return run_interruptibly(run)


if __name__ == "__main__":
    raise SystemExit(main())
