"""Long work in the background: the board it is asked for on, and the crew that does it."""
