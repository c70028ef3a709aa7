"""Regular expressions of strangers: JavaScript's syntax, found in linear time or ended at a deadline."""
