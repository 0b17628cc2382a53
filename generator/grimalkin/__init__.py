"""Grimalkin: sheets to print, a rules site and a rules engine, from one set of content files.

This package imports nothing, so that `engine` and `games` run on a bare Python.
"""

__version__ = "0.1.0"
