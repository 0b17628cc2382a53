"""Play: a game to play and to ask from Python, campaigns that go on, and thousands of simulated games."""
