"""Names in English prose: runs of capitals, and what the text says about them."""
