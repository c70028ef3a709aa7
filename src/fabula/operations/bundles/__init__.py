"""Importing bundles of entities and relations."""
