"""What a story is made of: frozen values and their invariants."""
