"""A game's tables: columns, rows, and remarks on them."""
