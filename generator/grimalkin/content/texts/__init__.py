"""Texts of a game: the marks in them, their styles and typography, and what they refer to."""
