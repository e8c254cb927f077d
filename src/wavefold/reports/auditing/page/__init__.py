"""The HTML page of an audit, section by section.

Its content is computed elsewhere in `auditing`; the elements come from `render.html`. Start with `page`.
"""
