"""Reads the text of a novel from the files that writing programs and e-book shops make."""
