"""Live views: a solver of its own for each WebSocket, stepped, paused and pinned by small commands.

Here live the protocol and the sessions; what a solver does is the library's matter, and maps that nobody
watches are `service.solves`. Start reading with `models`, which lists the commands, then `session`, which
carries them out, and `connection`, which decides when; `frames` is the layout of binary messages.
"""
