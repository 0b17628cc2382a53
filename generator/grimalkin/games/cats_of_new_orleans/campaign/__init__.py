"""The campaign: the `riverboat` after a scenario that was won, why moves on board are refused (`refusals_aboard`), and
the `adventure_log`, which a party keeps from one scenario to the next.
"""
