"""Albums: pages of positions on maps, drawn by the engine."""
