"""The HTML page of an audit, section by section.

What it shows is computed elsewhere in `auditing`; the elements come from `render.html`. Start with `page`.
"""
