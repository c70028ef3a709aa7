"""Entities and relations: single operations, batches, queries and views."""
