"""The door for clients of OpenAI: the same protocol, and the memory of a story in every request."""
