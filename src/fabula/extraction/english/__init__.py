"""Finds names in English prose: runs of capitalised words, and evidence from the text."""
