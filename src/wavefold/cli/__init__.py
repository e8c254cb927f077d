"""The command `wavefold`: parse, call, print. Everything heavy is imported by the command that needs it."""

from wavefold.cli.app import app, main

__all__ = ["app", "main"]
