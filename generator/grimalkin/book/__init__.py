"""A game in, its rulebook out."""
