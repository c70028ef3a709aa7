"""What an agent reads, writes and checks."""
