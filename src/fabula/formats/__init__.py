"""Parsers and writers for external file formats: text in, values out."""
