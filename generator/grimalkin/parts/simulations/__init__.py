"""Simulations: games of bots, and what was counted in them."""
