"""The campaign: the `riverboat` after a scenario has been won, and the `adventure_log`, which a party keeps from one
scenario to the next.
"""
