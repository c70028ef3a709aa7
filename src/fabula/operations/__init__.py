"""The operations of Fabula, each defined once by request type, response type and function, for all doors."""
