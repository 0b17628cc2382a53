"""The game new-game: `engine` plays it, and its content travels in `content/new-game`."""
