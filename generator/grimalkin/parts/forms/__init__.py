"""Forms to fill in on screen, such as score sheets: how they are made, and how they are read."""
