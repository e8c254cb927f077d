"""The picture view: strokes, patterns, pictures from elsewhere, and what becomes of a sample."""

import json
from io import BytesIO

import pytest
from PIL import Image

DRAWN = ".grown[data-milliseconds]"


def encode(image):
    content = BytesIO()
    image.save(content, "PNG")
    return {"name": "own.png", "mimeType": "image/png", "buffer": content.getvalue()}


def open_picture(page, address, image):
    """Drop a picture on the start."""
    page.goto(address)
    page.wait_for_selector(".drop")
    page.set_input_files("input[type=file]", encode(image))


def test_a_pattern_is_shown_where_it_occurs_and_banned_by_a_click(page, address):
    page.goto(address + "#/picture")
    page.wait_for_selector(DRAWN)
    page.click("summary:has-text('Patterns')")
    before = page.locator("canvas.sample").screenshot()
    page.hover(".pattern >> nth=3")
    assert page.locator("canvas.sample").screenshot() != before
    page.click(".pattern >> nth=20")
    page.wait_for_selector(".pattern[aria-pressed='true']")
    page.keyboard.press("Control+z")
    page.wait_for_selector("button[aria-label='Undo'][disabled]")


@pytest.mark.studio
def test_an_enlarged_picture_becomes_as_small_as_it_was(page, address):
    small = Image.new("RGB", (12, 10), "#204080")
    small.paste("#80c040", (3, 2, 8, 7))
    open_picture(page, address, small.resize((12 * 7, 10 * 7), Image.Resampling.NEAREST))
    page.wait_for_selector(".message:has-text('7 × 7')")
    page.wait_for_selector(DRAWN)
    assert page.locator(".swatch.colour").count() == 2
    page.click("summary:has-text('Sample')")
    assert page.locator(".slider:has-text('Width') output").text_content() == "12"


@pytest.mark.studio
def test_a_photograph_is_cut_and_reduced_with_sliders(page, address):
    photograph = Image.radial_gradient("L").resize((300, 200)).convert("RGB")
    photograph.paste(
        Image.linear_gradient("L").resize((100, 100)).convert("RGB").point(lambda each: 255 - each // 3)
    )
    photograph.putpixel((0, 0), (255, 0, 0))
    noisy = Image.merge(
        "RGB",
        (photograph.getchannel(0), photograph.getchannel(1).rotate(40), photograph.getchannel(2).rotate(80)),
    )
    open_picture(page, address, noisy)
    page.wait_for_selector(".import")
    page.locator(".import .slider:has-text('Colours') input").fill("3")
    page.wait_for_selector("figcaption:has-text('3 colours')")
    page.click("text=Use this sample")
    page.wait_for_selector(DRAWN)
    assert page.locator(".swatch.colour").count() == 3


@pytest.mark.studio
def test_a_sample_is_drawn_with_keys_alone(page, address):
    page.goto(address + "#/picture")
    page.wait_for_selector(DRAWN)
    page.focus("canvas.sample")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector("button[aria-label='Undo']:not([disabled])")


@pytest.mark.studio
@pytest.mark.parametrize(
    ("view", "selector"), [("Map", ".message:has-text('Solved')"), ("Patchwork", "canvas[data-pieces='5']")]
)
def test_a_sample_becomes_a_tile_set_of_another_view(page, address, view, selector):
    page.goto(address + "#/picture")
    page.wait_for_selector(DRAWN)
    page.click("text=Save as tile set")
    page.click(f"text=Open in {view}")
    page.wait_for_selector(selector)


@pytest.mark.studio
def test_strokes_keep_the_document_small_and_each_change_is_a_step_back(page, address):
    page.goto(address + "#/picture")
    page.wait_for_selector(DRAWN)
    box = page.locator("canvas.sample").bounding_box()
    for stroke in range(12):
        page.mouse.move(box["x"] + 30, box["y"] + 20 + 30 * stroke)
        page.mouse.down()
        page.mouse.move(box["x"] + 200, box["y"] + 20 + 30 * stroke, steps=3)
        page.mouse.up()
    page.keyboard.press("f")
    page.mouse.click(box["x"] + 30, box["y"] + 20)
    page.keyboard.press("s")
    page.keyboard.press("s")
    page.click("button:has-text('Share')")
    with page.expect_download() as download:
        page.click("[role=menu] button:has-text('file')")
    assert download.value.suggested_filename == "picture-48x48-seed9.wavefold"
    with open(download.value.path(), encoding="utf-8") as file:
        commands = json.load(file)["commands"]
    assert [each["do"] for each in commands] == ["paint"] * 12 + ["fill", "set", "set"]
    assert max(len(json.dumps(each)) for each in commands) < 200  # one sample is 700 letters
    for _ in commands:
        page.keyboard.press("Control+z")
    assert page.is_disabled("button[aria-label='Undo']")


@pytest.mark.studio
def test_the_map_that_is_edited_is_the_one_that_was_shown(page, address):
    page.goto(address + "#/picture")
    page.wait_for_selector(DRAWN)
    page.click("button:has-text('Edit this map')")
    page.wait_for_selector(".message:has-text('Solved ·')")
    numbers = page.locator(".bar input[type='number']").all()
    assert [each.input_value() for each in numbers] == ["7", "48", "48"]
    assert "off" in page.text_content(".slider:has-text('Refine')")
