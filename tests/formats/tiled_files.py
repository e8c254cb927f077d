"""Small files of Tiled for tests: written once as JSON would have them, then as JSON or as XML."""

import base64
import gzip
import json
import zlib
from xml.sax.saxutils import quoteattr

import numpy as np
from PIL import Image

SIDE = 4  # pixels across a tile
GROUPED = {"properties": ("properties", "property"), "wangsets": ("wangsets", "wangset")}
SINGLE = ("transformations", "grid")
TAGS = {"tilesets": "tileset", "tiles": "tile", "colors": "wangcolor", "wangtiles": "wangtile"}
LAYER_TAGS = {
    "tilelayer": "layer",
    "group": "group",
    "objectgroup": "objectgroup",
    "imagelayer": "imagelayer",
}


def picture(number):
    """Noise: no two of its turns and mirror images are alike."""
    pixels = np.random.default_rng(number).integers(0, 256, (SIDE, SIDE, 4), np.uint8)
    pixels[..., 3] = 255
    return pixels


def sheet(path, tiles, columns=3, margin=0, spacing=0):
    """Draw tiles 0, 1, … into one picture."""
    rows = -(-tiles // columns)
    step = SIDE + spacing
    pixels = np.zeros(
        (2 * margin + rows * step - spacing, 2 * margin + columns * step - spacing, 4), np.uint8
    )
    for number in range(tiles):
        top, left = margin + number // columns * step, margin + number % columns * step
        pixels[top : top + SIDE, left : left + SIDE] = picture(number)
    Image.fromarray(pixels).save(path)


def a_set(count=6, **more):
    """A tile set cut from a sheet."""
    return {
        "type": "tileset",
        "name": "set",
        "image": "sheet.png",
        "imagewidth": 3 * SIDE,
        "imageheight": -(-count // 3) * SIDE,
        "tilewidth": SIDE,
        "tileheight": SIDE,
        "margin": 0,
        "spacing": 0,
        "columns": 3,
        "tilecount": count,
    } | more


def a_wangset(wang_ids, colours=("grass", "sand"), kind="corner", name="land", **more):
    """A Wang set of tiles 0, 1, … with these ids."""
    return {
        "name": name,
        "type": kind,
        "tile": -1,
        "colors": [{"name": each, "color": "#ff0000", "tile": -1, "probability": 1} for each in colours],
        "wangtiles": [{"tileid": number, "wangid": list(each)} for number, each in enumerate(wang_ids)],
    } | more


def a_layer(cells, name="ground", code="csv", **more):
    """A tile layer, written in one of the codes."""
    cells = np.asarray(cells, np.uint32)
    return {
        "type": "tilelayer",
        "name": name,
        "width": cells.shape[1],
        "height": cells.shape[0],
    } | coded(cells, code) | more  # fmt: skip


def coded(cells, code):
    """What stands in a layer or chunk for these cells."""
    octets = cells.astype("<u4").tobytes()
    if code in ("csv", "elements"):
        return {"encoding": code, "data": cells.ravel().tolist()}
    packed = {"": octets, "zlib": zlib.compress(octets), "gzip": gzip.compress(octets)}[code]
    return {"encoding": "base64", "compression": code, "data": base64.b64encode(packed).decode()}


def a_map(*layers, **more):
    """A map with one tile set inside."""
    first = {"width": 2, "height": 2} | layers[0]
    return {
        "type": "map",
        "orientation": "orthogonal",
        "width": first["width"],
        "height": first["height"],
        "tilewidth": SIDE,
        "tileheight": SIDE,
        "infinite": False,
        "tilesets": [a_set(firstgid=1)],
        "layers": list(layers),
    } | more


def write(path, document):
    """Write a document; the ending says how."""
    text = json.dumps(document) if path.suffix in (".tmj", ".tsj") else as_xml(document)
    path.write_text(text, encoding="utf-8")
    return path


def as_xml(document):
    """The document as Tiled would write it in XML."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + element(document["type"], document)


def element(tag, node):
    """A node as an element."""
    attributes, inner = [], []
    for name, value in node.items():
        if name == "type" and tag not in ("tile", "wangset"):
            continue
        if name in GROUPED:
            outer, each = GROUPED[name]
            inner.append(f"<{outer}>\n" + "".join(element(each, child) for child in value) + f"</{outer}>\n")
        elif name in TAGS:
            inner += [element(TAGS[name], child) for child in value]
        elif name == "layers":
            inner += [element(LAYER_TAGS[child["type"]], child) for child in value]
        elif name in SINGLE:
            inner.append(element(name, value))
        elif name == "image":
            trans = f" trans={quoteattr(node['transparentcolor'])}" if "transparentcolor" in node else ""
            inner.append(f"<image source={quoteattr(value)}{trans}/>\n")
        elif name not in ("data", "chunks", "encoding", "compression", "transparentcolor") or tag == "chunk":
            attributes.append(attribute(name, value))
    if "encoding" in node:
        inner.append(data_element(node))
    shown = "".join(f" {each}" for each in attributes if each)
    return f"<{tag}{shown}>\n{''.join(inner)}</{tag}>\n"


def attribute(name, value):
    """A field as an attribute."""
    if isinstance(value, list):
        value = ",".join(map(str, value))
    return f"{name}={quoteattr(str(int(value) if isinstance(value, bool) else value))}"


def data_element(layer):
    """<data>, with chunks in it or not."""
    code = layer["encoding"]
    says = "" if code == "elements" else f' encoding="{code}"'
    says += f' compression="{layer["compression"]}"' if layer.get("compression") else ""
    if "chunks" not in layer:
        return f"<data{says}>{data_text(layer['data'], code)}</data>\n"
    chunks = "".join(
        f'<chunk x="{each["x"]}" y="{each["y"]}" width="{each["width"]}" height="{each["height"]}">'
        f"{data_text(each['data'], code)}</chunk>"
        for each in layer["chunks"]
    )
    return f"<data{says}>{chunks}</data>\n"


def data_text(data, code):
    """The cells as text or elements."""
    if code == "elements":
        return "".join(f'<tile gid="{each}"/>' if each else "<tile/>" for each in data)
    return ",\n".join(map(str, data)) if isinstance(data, list) else data
