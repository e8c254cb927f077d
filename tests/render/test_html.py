"""The HTML builder: text is escaped, pictures are inside the page, files appear complete."""

import pytest
from PIL import Image

import wavefold as wf
from wavefold.render.html import (
    BoxPlot,
    LineChart,
    Markup,
    choose_ticks,
    concatenate,
    details,
    element,
    embed_image,
    image_element,
    legend,
    page,
    plot_boxes,
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


# --- charts of lines and box plots: values are where the axes say, dots name their values ---------


def test_values_lie_between_the_edges_of_the_chart():
    chart = LineChart(500, 200, most=4, lowest=50, highest=100)
    assert chart.locate(0, 100) == (chart.left + chart.inset, chart.top)
    assert chart.locate(4, 50) == (chart.width - chart.right, chart.top + chart.height)


def test_levels_and_axis_are_labelled():
    chart = LineChart(500, 200, most=2, lowest=0, highest=1)
    levels = "".join(chart.draw_levels({0.0: "none", 1.0: "all"}))
    assert ">none</text>" in levels
    assert levels.count('class="level"') == 2
    axis = "".join(chart.draw_x_axis(range(3), "cells"))
    assert all(f">{label}</text>" in axis for label in ("0", "1", "2", "cells"))


def test_a_trace_is_a_line_and_a_dot_with_a_title_for_each_value():
    chart = LineChart(500, 200, most=2, lowest=0, highest=1)
    line, *dots = chart.draw_trace([(0, 0.0), (1, 0.5), (2, 1.0)], ["a", "b", "c"], "j1")
    assert 'class="trace j1"' in line
    assert [f"<title>{name}</title>" in dot for name, dot in zip("abc", dots, strict=True)] == [True] * 3


def test_a_chart_is_one_svg_with_a_label():
    chart = LineChart(500, 200, most=1, lowest=0, highest=1)
    text = chart.draw(chart.draw_vertical(1, "here", 0), "a label")
    assert text.startswith("<svg")
    assert 'aria-label="a label"' in text
    assert ">here</text>" in text


def test_box_plots_have_a_row_for_each_name_even_without_values():
    rows = [BoxPlot("quick", "j0", "j0", [1.0, 2.0, 90.0]), BoxPlot("none", "j1", "j1", [])]
    page = str(plot_boxes(rows, "ms", "times"))
    assert page.count("<rect") == 1
    assert ">none</text>" in page
    assert "median 2 ms" in page
    assert "on a logarithmic scale" in page


def test_axes_have_round_numbers():
    assert choose_ticks(0, 310, False) == [0, 50, 100, 150, 200, 250, 300]
    assert choose_ticks(0.9, 330, True) == [1, 2, 5, 10, 20, 50, 100, 200]
    assert 2 < len(choose_ticks(0, 0.037, False)) < 10
