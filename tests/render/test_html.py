"""The HTML builder: text is escaped, pictures are inside the page, files appear complete."""

import pytest
from PIL import Image

import wavefold as wf
from wavefold.render.html import (
    Markup,
    concatenate,
    details,
    element,
    embed_image,
    image_element,
    legend,
    page,
    save_page,
    section,
    table,
)


def test_elements_escape_all_but_markup():
    inside = element("b", "1 < 2", class_="x_y", aria_label='"quoted"', title=None)
    assert inside == '<b class="x_y" aria-label="&quot;quoted&quot;">1 &lt; 2</b>'
    assert concatenate([inside, "&"]) == f"{inside}&amp;"
    assert isinstance(inside, Markup)
    assert "<td>&lt;i&gt;</td>" in table(["a"], [["<i>"]])
    assert '<td class="number">1,234</td>' in table(["a"], [[1234]])


def test_plain_text_in_a_section_is_a_paragraph():
    assert section("A & B", "1 < 2", Markup("<ul></ul>")) == "<h2>A &amp; B</h2><p>1 &lt; 2</p><ul></ul>"


def test_a_page_has_its_style_inside_and_escapes_its_title():
    text = page("<title>", element("p", "text"), class_="wide")
    assert text.startswith("<!doctype html>")
    assert "<title>&lt;title&gt;</title>" in text
    assert '<body class="wide"><p>text</p></body>' in text
    assert "prefers-color-scheme: dark" in text


def test_details_and_legends_are_built_of_elements():
    assert details("more", "a") == "<details><summary>more</summary>a</details>"
    assert legend([("fine", "fits")]) == (
        '<p class="legend"><span><i class="swatch fine"></i>fits</span></p>'
    )


def test_a_page_is_written_complete_or_not_at_all(tmp_path):
    save_page("ä", tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == "ä"
    with pytest.raises(wf.ConfigError, match="create it first"):
        save_page("ä", tmp_path / "nowhere" / "page.html")


def test_pictures_are_no_larger_than_they_are_shown():
    huge = Image.new("RGBA", (2000, 1000))
    assert len(image_element(huge, "huge", 40)) < 1000
    assert len(embed_image(huge)) > len(embed_image(huge, 40))


def test_small_pictures_are_enlarged_without_blur():
    small = Image.new("RGBA", (4, 4))
    assert 'class="sharp"' in image_element(small, "small", 40)
    assert "class" not in image_element(small, "small")
