"""The only way to change what is true in a story."""
