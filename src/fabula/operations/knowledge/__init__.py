"""Who knows what: knowings, and questions about them."""
