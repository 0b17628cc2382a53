"""What every game shares: refusals, score lines, events, chance, record shapes, replay and play. Standard library only.

A game is one module in `grimalkin.games`; `engine.contract` says what such a module offers.
"""
