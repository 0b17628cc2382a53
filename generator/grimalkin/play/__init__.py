"""Play: a game to play and ask about from Python, campaigns that continue, and thousands of simulated games."""
