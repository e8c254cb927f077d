"""`python -m wavefold`: the command line."""

from wavefold.cli import main

if __name__ == "__main__":
    main()
