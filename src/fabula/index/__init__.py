"""One story compiled for reading: who is there, who is next to whom, and which words lead to whom."""
