"""Make the rulebook of a game as a PDF."""
