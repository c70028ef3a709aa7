"""What is found in a text, and what is decided about it."""
