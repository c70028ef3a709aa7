"""Bundles of entities and relations, taken in."""
