"""The interfaces of the server: REST, the `knowledge:*` channels, MCP, and an OpenAI-compatible proxy."""
