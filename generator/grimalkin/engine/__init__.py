"""The parts that all games share: refusals, score lines, events, chance, record shapes, replay and play.

Only the standard library is used.

A game is a module in `grimalkin.games`; `engine.contract` describes it.
"""
