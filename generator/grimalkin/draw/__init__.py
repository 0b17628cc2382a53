"""A Face onto a reportlab canvas, and a Face to PNG. Drawing has no decisions to make: a Face is resolved already.

Import from the modules: who draws PDF alone need not wait for the libraries of pictures.
"""
