"""Language models and embedders: their interfaces and implementations."""
