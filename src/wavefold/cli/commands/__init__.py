"""The commands, one Typer function each: its parameters are the options, its body does the work.

Shared options, inputs, outputs and terminal functions are one level up. Start with `learn`, which is short.
These modules are imported for `wavefold --help`, so modules that need NumPy are imported inside functions. To
add a command, write a module here and add its name to `COMMANDS`.
"""

from importlib import import_module

# In the order in which the help lists them. Importing a module adds its commands to the application.
COMMANDS = (
    "generate", "learn", "explain", "repair", "audit", "measure", "calibrate", "tilesets",
    "installation", "world", "patchwork", "patchwork_compare",
)  # fmt: skip
for _name in COMMANDS:
    import_module(f"wavefold.cli.commands.{_name}")
