"""The HTML page of an audit. Start with `page`; the elements come from `render.html`."""
