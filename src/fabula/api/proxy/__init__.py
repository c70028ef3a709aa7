"""The OpenAI-compatible proxy, which adds the memory of a story to every request."""
