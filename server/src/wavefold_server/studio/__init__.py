"""The studio's pages: ES modules, styles and icons that a browser runs as they are, without a build step.

The service sends these files (`routes.py`), and notebooks show the board among them; `modules` lists
which of them need which others. Start reading with `pages/main.js`; `docs/design/studio.md` is the map.
"""

from pathlib import Path

PAGES = Path(__file__).parent / "pages"
