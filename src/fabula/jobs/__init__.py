"""Background jobs: the board that accepts them and the crew that runs them."""
