"""Receipts of contexts: read, compare, make again, and ask what would be told otherwise."""
