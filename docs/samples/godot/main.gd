extends Node2D

@onready var tiles: TileMapLayer = $Map/Tiles


# A click prints the cell under the mouse: its coordinates, its tile and the groups that is in.
func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.pressed:
		var cell := tiles.local_to_map(tiles.get_local_mouse_position())
		var data := tiles.get_cell_tile_data(cell)
		if data != null:
			print(cell, " ", data.get_custom_data("tile"), " ", data.get_custom_data("groups"))
