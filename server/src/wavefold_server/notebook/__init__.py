"""The studio's board in notebooks: `wf.show`, and what objects look like as the result of a cell.

Here live the widgets, what they say to the page, and the pictures; how a board is drawn is in
`studio/pages/board`, and nothing is solved here. Start reading with `show.show`, then `SolverBoard`.
"""

from wavefold_server.notebook.show import show

__all__ = ["show"]
