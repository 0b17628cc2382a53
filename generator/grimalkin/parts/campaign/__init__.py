"""Campaigns: what a party keeps from one play of a game to the next."""
