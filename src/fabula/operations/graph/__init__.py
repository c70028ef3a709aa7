"""Entities and relations: one by one, many at once, asked, drawn."""
