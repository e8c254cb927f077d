"""Edit finished maps: paint, regrow, repair."""
