"""Other people's files: text in, values out."""
