"""The one way to change what is true in a story."""
