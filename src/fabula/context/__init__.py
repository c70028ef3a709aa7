"""What an audience may hear of a story: the words a text names, what is redacted, who asks for a place."""
