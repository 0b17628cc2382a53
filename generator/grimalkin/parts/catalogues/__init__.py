"""Catalogues: pieces with their numbers and texts, and what the engine says about them."""
