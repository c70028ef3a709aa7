"""Storage: the tables, the migrations, and the change log that records every write."""
