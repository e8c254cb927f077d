"""What LDtk's JSON schema, version 1.5.3, says about the parts of a project that we write.

Written from the published schema, which no package carries at this version: for each part, the fields with
their types; those after the bar may be missing. Other fields are not allowed, except in the project itself.
"""

WORDS = {
    "str": lambda value: isinstance(value, str),
    "int": lambda value: type(value) is int,
    "num": lambda value: type(value) in (int, float),
    "bool": lambda value: isinstance(value, bool),
    "list": lambda value: isinstance(value, list),
    "ints": lambda value: isinstance(value, list) and all(type(each) is int for each in value),
    "strs": lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
    "null": lambda value: value is None,
    "any": lambda value: True,
    "dict": lambda value: isinstance(value, dict),
}

PARTS = {
    "Project": """
        bgColor:str defs:Definitions externalLevels:bool iid:str jsonVersion:str levels:[Level] toc:list
        worlds:list appBuildId:num backupLimit:int backupOnSave:bool customCommands:list
        defaultEntityHeight:int defaultEntityWidth:int defaultGridSize:int defaultLevelBgColor:str
        defaultPivotX:num defaultPivotY:num dummyWorldIid:str exportLevelBg:bool exportTiled:bool flags:strs
        identifierStyle=Capitalize,Uppercase,Lowercase,Free
        imageExportMode=None,OneImagePerLayer,OneImagePerLevel,LayersAndLevels levelNamePattern:str
        minifyJson:bool nextUid:int simplifiedExport:bool |
        worldLayout=Free,GridVania,LinearHorizontal,LinearVertical worldGridWidth:int,null
        worldGridHeight:int,null defaultLevelWidth:int,null defaultLevelHeight:int,null
        pngFilePattern:str,null backupRelPath:str,null tutorialDesc:str,null __header__:dict""",
    "Definitions": """
        entities:[EntityDef] enums:list externalEnums:list layers:[LayerDef] levelFields:[FieldDef]
        tilesets:[TilesetDef] |""",
    "LayerDef": """
        __type:str displayOpacity:num gridSize:int identifier:str intGridValues:[IntGridValueDef]
        intGridValuesGroups:list parallaxFactorX:num parallaxFactorY:num parallaxScaling:bool pxOffsetX:int
        pxOffsetY:int uid:int autoRuleGroups:list canSelectWhenInactive:bool excludedTags:strs
        guideGridHei:int guideGridWid:int hideFieldsWhenInactive:bool hideInList:bool inactiveOpacity:num
        renderInWorldView:bool requiredTags:strs tilePivotX:num tilePivotY:num
        type=IntGrid,Entities,Tiles,AutoLayer uiFilterTags:strs useAsyncRender:bool | uiColor:str,null
        doc:str,null tilesetDefUid:int,null autoSourceLayerDefUid:int,null autoTilesetDefUid:int,null
        biomeFieldUid:int,null autoTilesKilledByOtherLayerUid:int,null""",
    "IntGridValueDef": "color:str groupUid:int value:int | identifier:str,null tile:TilesetRect,null",
    "TilesetRect": "h:int tilesetUid:int w:int x:int y:int |",
    "FieldDef": """
        __type:str canBeNull:bool identifier:str isArray:bool type:str uid:int allowOutOfLevelRef:bool
        allowedRefTags:strs allowedRefs=Any,OnlySame,OnlyTags,OnlySpecificEntity autoChainRef:bool
        editorAlwaysShow:bool editorCutLongValues:bool
        editorDisplayMode=Hidden,ValueOnly,NameAndValue,EntityTile,LevelTile
        editorDisplayPos=Above,Center,Beneath editorDisplayScale:num
        editorLinkStyle=ZigZag,StraightArrow,CurvedArrow,ArrowsLine,DashedLine editorShowInWorld:bool
        exportToToc:bool searchable:bool symmetricalRef:bool useForSmartColor:bool |
        acceptFileTypes:strs,null arrayMinLength:int,null arrayMaxLength:int,null editorTextSuffix:str,null
        editorTextPrefix:str,null min:num,null max:num,null editorDisplayColor:str,null doc:str,null
        allowedRefsEntityUid:int,null tilesetUid:int,null defaultOverride:any regex:str,null
        textLanguageMode=LangPython,LangRuby,LangJS,LangLua,LangC,LangMarkdown,LangJson,LangXml,LangLog""",
    "TilesetDef": """
        __cHei:int __cWid:int customData:[TileData] enumTags:list identifier:str padding:int pxHei:int
        pxWid:int spacing:int tags:strs tileGridSize:int uid:int savedSelections:list |
        cachedPixelData:dict,null tagsSourceEnumUid:int,null embedAtlas=LdtkIcons,null relPath:str,null""",
    "TileData": "data:str tileId:int |",
    "Level": """
        __bgColor:str __neighbours:list fieldInstances:[FieldInstance] identifier:str iid:str pxHei:int
        pxWid:int uid:int worldDepth:int worldX:int worldY:int __smartColor:str bgPivotX:num bgPivotY:num
        useAutoIdentifier:bool | externalRelPath:str,null bgColor:str,null
        bgPos=Unscaled,Contain,Cover,CoverDirty,Repeat,null __bgPos:dict,null layerInstances:[LayerInstance]
        bgRelPath:str,null""",
    "FieldInstance": """
        __identifier:str __type:str __value:any defUid:int realEditorValues:list | __tile:dict,null""",
    "LayerInstance": """
        __cHei:int __cWid:int __gridSize:int __identifier:str __opacity:num __pxTotalOffsetX:int
        __pxTotalOffsetY:int __type:str autoLayerTiles:[Tile] entityInstances:[EntityInstance]
        gridTiles:[Tile] iid:str intGridCsv:ints layerDefUid:int levelId:int pxOffsetX:int pxOffsetY:int
        visible:bool optionalRules:ints seed:int | __tilesetRelPath:str,null overrideTilesetUid:int,null
        __tilesetDefUid:int,null""",
    "EntityDef": """
        allowOutOfBounds:bool color:str exportToToc:bool fieldDefs:list fillOpacity:num height:int hollow:bool
        identifier:str keepAspectRatio:bool limitBehavior=DiscardOldOnes,PreventAdding,MoveLastOne
        limitScope=PerLayer,PerLevel,PerWorld lineOpacity:num maxCount:int nineSliceBorders:ints pivotX:num
        pivotY:num renderMode=Rectangle,Ellipse,Tile,Cross resizableX:bool resizableY:bool showName:bool
        tags:strs tileOpacity:num
        tileRenderMode=Cover,FitInside,Repeat,Stretch,FullSizeCropped,FullSizeUncropped,NineSlice uid:int
        width:int | doc:str,null maxHeight:int,null maxWidth:int,null minHeight:int,null minWidth:int,null
        tileId:int,null tileRect:dict,null tilesetId:int,null uiTileRect:dict,null""",
    "EntityInstance": """
        __grid:ints __identifier:str __pivot:list __smartColor:str __tags:strs defUid:int
        fieldInstances:[FieldInstance] height:int iid:str px:ints width:int |
        __tile:dict,null __worldX:int,null __worldY:int,null""",
    "Tile": "a:num f:int px:ints src:ints t:int d:ints |",
}


def find_violations(value, part="Project", path="project"):
    """Every place where a value is not what the schema says, as text."""
    needed, _, _ = PARTS[part].partition("|")
    fields = {}
    for entry in PARTS[part].replace("|", " ").split():
        name, sign, kinds = entry.partition("=") if "=" in entry else entry.partition(":")
        fields[name] = (sign, kinds)
    for entry in needed.split():
        name = entry.partition("=")[0].partition(":")[0]
        if name not in value:
            yield f"{path}.{name} is missing"
    for name, content in value.items():
        if name not in fields:
            yield f"{path}.{name} is unknown"
            continue
        yield from check_field(content, *fields[name], f"{path}.{name}")


def check_field(content, sign, kinds, path):
    """The same for one field."""
    if sign == "=":
        allowed = [None if each == "null" else each for each in kinds.split(",")]
        if content not in allowed:
            yield f"{path} is {content!r}"
    elif kinds.startswith("["):
        if not isinstance(content, list):
            yield f"{path} is not a list"
            return
        for index, each in enumerate(content):
            yield from find_violations(each, kinds.strip("[]"), f"{path}[{index}]")
    elif kinds.split(",")[0] in PARTS and content is not None:
        yield from find_violations(content, kinds.split(",")[0], path)
    elif not any(WORDS[each](content) for each in kinds.split(",") if each not in PARTS):
        yield f"{path} is {content!r}, not {kinds}"
