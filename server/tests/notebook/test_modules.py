"""Modules of the studio become one script, without a tool."""

import re
import shutil
import subprocess

import pytest

from wavefold.errors import WavefoldError
from wavefold_server.notebook import modules


@pytest.fixture
def pages(tmp_path, monkeypatch):
    """A folder in place of the studio's pages."""
    monkeypatch.setattr("wavefold_server.studio.modules.PAGES", tmp_path)
    (tmp_path / "parts").mkdir()
    return tmp_path


def test_a_module_gets_what_it_imports_and_names_do_not_meet(pages):
    (pages / "parts/a.js").write_text("const SIZE = 1;\nexport const one = SIZE;\n")
    body = "const SIZE = 2;\nexport function add() { return first + SIZE; }\n"
    (pages / "b.js").write_text('import { one as first } from "./parts/a.js";\n' + body)
    text = modules.bundle_modules.__wrapped__("b.js")
    assert text.count("SIZE = ") == 2
    assert "const { one: first } = m0;" in text
    assert text.endswith("export default m1;\n")
    if shutil.which("node"):
        code = text.replace("export default m1;", "console.log(m1.add());")
        assert subprocess.check_output(["node", "-e", code], text=True).strip() == "3"


def test_modules_that_import_each_other_are_refused(pages):
    (pages / "a.js").write_text('import { b } from "./b.js";\nexport const a = 1;\n')
    (pages / "b.js").write_text('import { a } from "./a.js";\nexport const b = 1;\n')
    with pytest.raises(WavefoldError, match=r"a\.js → b\.js → a\.js"):
        modules.bundle_modules.__wrapped__("a.js")


def test_what_cannot_be_bundled_is_named(pages):
    (pages / "a.js").write_text("export default 1;\n")
    with pytest.raises(WavefoldError, match="export default 1"):
        modules.bundle_modules.__wrapped__("a.js")


def test_the_widget_has_the_studios_board_and_imports_nothing():
    text = modules.bundle_modules("notebook/widget.js")
    assert "class Board" in text
    assert not re.search(r"^\s*import\b", text, re.MULTILINE)


def test_styles_are_for_a_shadow_tree():
    styles = modules.bundle_styles()
    assert ":root" not in styles
    assert ':host([data-theme="dark"])' in styles
