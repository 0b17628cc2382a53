"""Draw Faces onto a reportlab canvas, or as PNG. Drawing has no decisions to make: a Face is already resolved.

Import from the modules: drawing only PDF does not load the picture libraries.
"""
