"""SVG as faces may use it: its elements, paths and colours."""
