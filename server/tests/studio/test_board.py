"""The board: what is drawn of cells that change."""

import pytest

DRAW = """async (isHex) => {
  const { Board, UNDECIDED } = await import("./board/board.js"), { Atlas } = await import("./board/atlas.js");
  const { hexCells, hexGeometry, squareGeometry } = await import("./board/geometry.js");
  const picture = new OffscreenCanvas(96, 32), ink = picture.getContext("2d"); // the last has a hole
  ["red", "transparent", "blue"].forEach((colour, index) => {
    ink.fillStyle = colour;
    if (isHex) ink.ellipse(32 * index + 16, 16, 16, 16, 0, 0, 7); else ink.rect(32 * index, 0, 32, 32);
    ink.fill();
    ink.beginPath();
  });
  ink.clearRect(74, 10, 12, 12);
  const geometry = isHex ? hexGeometry(hexCells({ width: 40, height: 3 }), 32, 32)
    : squareGeometry(40, 3, 32);
  const canvas = document.body.appendChild(document.createElement("canvas")), board = new Board(canvas);
  board.open(geometry, new Atlas(picture, 3, 32, 32, 3));
  board.camera.scale = 1;
  const [left, top] = geometry.corner(45), { box } = geometry, found = [];
  for (const pattern of [UNDECIDED, 0, 1, 0, 2]) {
    board.set(45, pattern);
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const { data } = board.picture.getContext("2d").getImageData(left + 16 - box.x, top + 16 - box.y, 1, 1);
    found.push([...data].join());
  }
  board.close();
  return found;
}"""


@pytest.mark.studio
@pytest.mark.parametrize("is_hex", [False, True])
def test_nothing_of_an_older_tile_shines_through_a_transparent_one(page, address, is_hex):
    page.goto(address)
    red, nothing = "255,0,0,255", "0,0,0,0"
    assert page.evaluate(DRAW, is_hex) == ["128,128,128,255", red, nothing, red, nothing]
