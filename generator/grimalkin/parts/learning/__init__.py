"""Learning: the page for newcomers."""
