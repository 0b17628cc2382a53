"""Odds: exact chances of attempts, and charts of shares."""
