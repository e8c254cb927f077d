"""Charts of lines and box plots: values are where the axes say, dots name their values."""

from wavefold.render.plots import BoxPlot, LineChart, choose_ticks, plot_boxes


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
