"""Documents of the studio, as links and files that any server can open.

`files` reads a saved file and makes its map, also without a server; `links` packs a document with all that
another server needs, and opens it there; `routes` answers. What the steps of a document mean is the pages'
matter. Start reading with `models`.
"""
