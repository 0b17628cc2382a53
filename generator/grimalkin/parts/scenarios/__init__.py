"""Scenarios: their set-up, objectives and spawns, and what to read afterwards."""
