"""The commands, one Typer function each: its parameters are the options, its body does the work.

Shared options, inputs, outputs and terminal functions are one level up. Start with `learn`, which is short.
These modules are imported for `wavefold --help`, so modules that need NumPy are imported inside functions. To
add a command, write a module here and add its name to `COMMANDS` in `wavefold.cli.app`.
"""
