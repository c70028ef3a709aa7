"""Keeping: the tables, the migrations, and the change log that every write goes through."""
