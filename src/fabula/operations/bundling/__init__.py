"""The types of a story, and files of knowledge taken in as a whole."""
