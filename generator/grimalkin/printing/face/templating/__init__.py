"""Templates of faces: rendered from plain data, within a budget, with every fault at its line."""
