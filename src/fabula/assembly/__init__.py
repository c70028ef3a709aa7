"""From candidates and a budget to a context: who gets in, in which order, at what cost, and why."""
