"""The doors: REST and the `knowledge:*` channels, which know nothing of each other."""
