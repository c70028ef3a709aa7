"""Names in Chinese prose: tables, candidates, and the reading that decides between them."""
