"""What a server makes, as code: Python and commands that make the same without a server.

`python_text` writes values and calls, `map_code`, `world_code` and `sketch_code` programs of them, `routes`
answers. What is written here is only text: nothing of it is run. Start reading with `map_code`.
"""
