"""Lorebooks and character cards of other programs: each read, and written again without loss."""
