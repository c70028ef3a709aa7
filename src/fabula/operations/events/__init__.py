"""Events: the calls."""
