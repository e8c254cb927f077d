"""The parts of an LDtk project, with every field that its JSON schema 1.5.3 requires."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from wavefold.formats.pattern_sheet import TileSheet

VERSION, BUILD = "1.5.3", 473702  # of the format, and of a version of LDtk that writes it
BACKGROUND = "#40465B"
HEADER_FIELD = "Wavefold"  # the level field that holds the header of the map as JSON
TILES_LAYER, GROUPS_LAYER, OBJECTS_LAYER = "Tiles", "Groups", "Objects"  # layers

# All parts of a project share one sequence of uids; layers and entities have the last ones.
TILESET_UID, HEADER_FIELD_UID, LEVEL_UID, FIRST_LAYER_UID = 1, 2, 3, 4

Fields = dict[str, Any]  # an object of LDtk's JSON


PROJECT: Fields = {
    "__header__": {
        "fileType": "LDtk Project JSON",
        "app": "LDtk",
        "doc": "https://ldtk.io/json",
        "schema": "https://ldtk.io/files/JSON_SCHEMA.json",
        "appVersion": VERSION,
        "url": "https://ldtk.io",
    },
    "iid": "",
    "jsonVersion": VERSION,
    "appBuildId": BUILD,
    "nextUid": 0,
    "identifierStyle": "Free",
    "toc": [],
    "worldLayout": "Free",
    "worldGridWidth": 256,
    "worldGridHeight": 256,
    "defaultLevelWidth": 256,
    "defaultLevelHeight": 256,
    "defaultPivotX": 0,
    "defaultPivotY": 0,
    "defaultGridSize": 16,
    "defaultEntityWidth": 16,
    "defaultEntityHeight": 16,
    "bgColor": BACKGROUND,
    "defaultLevelBgColor": BACKGROUND,
    "minifyJson": False,
    "externalLevels": False,
    "exportTiled": False,
    "simplifiedExport": False,
    "imageExportMode": "None",
    "exportLevelBg": True,
    "pngFilePattern": None,
    "backupOnSave": False,
    "backupLimit": 10,
    "backupRelPath": None,
    "levelNamePattern": "Level_%idx",
    "tutorialDesc": None,
    "customCommands": [],
    "flags": [],
}

LAYER_DEFINITION: Fields = {
    "doc": None,
    "uiColor": None,
    "guideGridWid": 0,
    "guideGridHei": 0,
    "displayOpacity": 1,
    "inactiveOpacity": 1,
    "hideInList": False,
    "hideFieldsWhenInactive": True,
    "canSelectWhenInactive": True,
    "renderInWorldView": True,
    "pxOffsetX": 0,
    "pxOffsetY": 0,
    "parallaxFactorX": 0,
    "parallaxFactorY": 0,
    "parallaxScaling": True,
    "requiredTags": [],
    "excludedTags": [],
    "autoTilesKilledByOtherLayerUid": None,
    "uiFilterTags": [],
    "useAsyncRender": False,
    "intGridValues": [],
    "intGridValuesGroups": [],
    "autoRuleGroups": [],
    "autoSourceLayerDefUid": None,
    "tilesetDefUid": None,
    "tilePivotX": 0,
    "tilePivotY": 0,
    "biomeFieldUid": None,
}

LAYER_INSTANCE: Fields = {
    "__opacity": 1,
    "__pxTotalOffsetX": 0,
    "__pxTotalOffsetY": 0,
    "__tilesetDefUid": None,
    "__tilesetRelPath": None,
    "levelId": LEVEL_UID,
    "pxOffsetX": 0,
    "pxOffsetY": 0,
    "visible": True,
    "optionalRules": [],
    "intGridCsv": [],
    "autoLayerTiles": [],
    "seed": 0,
    "overrideTilesetUid": None,
    "gridTiles": [],
    "entityInstances": [],
}

HEADER_FIELD_DEFINITION: Fields = {
    "identifier": HEADER_FIELD,
    "doc": None,
    "__type": "String",
    "uid": HEADER_FIELD_UID,
    "type": "F_Text",
    "isArray": False,
    "canBeNull": True,
    "arrayMinLength": None,
    "arrayMaxLength": None,
    "editorDisplayMode": "Hidden",
    "editorDisplayScale": 1,
    "editorDisplayPos": "Above",
    "editorLinkStyle": "StraightArrow",
    "editorDisplayColor": None,
    "editorAlwaysShow": False,
    "editorShowInWorld": False,
    "editorCutLongValues": True,
    "editorTextSuffix": None,
    "editorTextPrefix": None,
    "useForSmartColor": False,
    "exportToToc": False,
    "searchable": False,
    "min": None,
    "max": None,
    "regex": None,
    "acceptFileTypes": None,
    "defaultOverride": None,
    "textLanguageMode": "LangJson",
    "symmetricalRef": False,
    "autoChainRef": False,
    "allowOutOfLevelRef": False,
    "allowedRefs": "OnlySame",
    "allowedRefsEntityUid": None,
    "allowedRefTags": [],
    "tilesetUid": None,
}


class LayerParts(NamedTuple):
    """The two parts of a layer: its definition in the project, and its instance in the level."""

    definition: Fields
    instance: Fields


def make_iid(*parts: object) -> str:
    """An identifier in LDtk's form, the same for the same parts."""
    return str(uuid5(NAMESPACE_URL, "/".join(["wavefold", *map(str, parts)])))


def make_identifiers(names: Iterable[str]) -> list[str]:
    """Identifiers that LDtk accepts: letters, digits and underscores, no digit first, all different."""
    found: list[str] = []
    for name in names:
        word = re.sub("[^A-Za-z0-9_]", "_", name)
        word = f"_{word}" if not word or word[0].isdigit() else word
        number, base = 2, word
        while word in found:
            word, number = f"{base}_{number}", number + 1
        found.append(word)
    return found


def make_project(
    iid: str,
    layers: Sequence[LayerParts],
    tileset: Fields,
    level: Fields,
    entities: Sequence[Fields] = (),
) -> Fields:
    """The content of the file."""
    cell = tileset["tileGridSize"]
    own = {
        "iid": iid,
        "nextUid": FIRST_LAYER_UID + len(layers) + len(entities),
        "defaultLevelWidth": level["pxWid"],
        "defaultLevelHeight": level["pxHei"],
        "defaultGridSize": cell,
        "defaultEntityWidth": cell,
        "defaultEntityHeight": cell,
    }
    definitions = {
        "layers": [layer.definition for layer in layers],
        "entities": list(entities),
        "tilesets": [tileset],
        "enums": [],
        "externalEnums": [],
        "levelFields": [HEADER_FIELD_DEFINITION],
    }
    world = {"levels": [level], "worlds": [], "dummyWorldIid": make_iid(iid, "world")}
    return PROJECT | own | {"defs": definitions} | world


def make_layer(
    kind: str,
    identifier: str,
    uid: int,
    iid: str,
    size: tuple[int, int],
    definition: Fields,
    instance: Fields,
) -> LayerParts:
    """A layer of this kind ("Tiles", "IntGrid" or "Entities").

    size : columns and rows
    definition, instance : fields to add; the definition needs at least `gridSize`
    """
    named = {"__type": kind, "identifier": identifier, "type": kind, "uid": uid}
    placed = {
        "__identifier": identifier,
        "__type": kind,
        "__cWid": size[0],
        "__cHei": size[1],
        "__gridSize": definition["gridSize"],
        "iid": iid,
        "layerDefUid": uid,
    }
    return LayerParts(named | LAYER_DEFINITION | definition, placed | LAYER_INSTANCE | instance)


def make_tileset_definition(sheet: TileSheet, identifier: str, picture: str, names: Sequence[str]) -> Fields:
    """The definition of the tile set on a sheet; names : [tile] the custom data of each tile."""
    return {
        "__cWid": sheet.columns,
        "__cHei": sheet.pixels.shape[0] // sheet.height,
        "identifier": identifier,
        "uid": TILESET_UID,
        "relPath": picture,
        "embedAtlas": None,
        "pxWid": sheet.pixels.shape[1],
        "pxHei": sheet.pixels.shape[0],
        "tileGridSize": sheet.width,
        "spacing": 0,
        "padding": 0,
        "tags": [],
        "tagsSourceEnumUid": None,
        "enumTags": [],
        "customData": [{"tileId": number, "data": name} for number, name in enumerate(names)],
        "savedSelections": [],
        "cachedPixelData": None,
    }


def make_level(
    iid: str, corner: tuple[int, int], size: tuple[int, int], note: str, layers: Sequence[LayerParts]
) -> Fields:
    """The level with these layers, the top one first; `corner` and `size` are in pixels."""
    return {
        "identifier": "Map",
        "iid": iid,
        "uid": LEVEL_UID,
        "worldX": corner[0],
        "worldY": corner[1],
        "worldDepth": 0,
        "pxWid": size[0],
        "pxHei": size[1],
        "__bgColor": BACKGROUND,
        "bgColor": None,
        "useAutoIdentifier": False,
        "bgRelPath": None,
        "bgPos": None,
        "bgPivotX": 0.5,
        "bgPivotY": 0.5,
        "__smartColor": "#ADADB5",
        "__bgPos": None,
        "externalRelPath": None,
        "fieldInstances": [
            {
                "__identifier": HEADER_FIELD,
                "__type": "String",
                "__value": note,
                "__tile": None,
                "defUid": HEADER_FIELD_UID,
                "realEditorValues": [{"id": "V_String", "params": [note]}],
            }
        ],
        "layerInstances": [layer.instance for layer in layers],
        "__neighbours": [],
    }
