"""The tile sets of a server: those that wavefold brings along, and those that were uploaded.

`library` finds and stores them, `routes` answers requests about them. How they are read from uploaded files
is a matter of `wavefold.formats`. Start reading with `library`.
"""
