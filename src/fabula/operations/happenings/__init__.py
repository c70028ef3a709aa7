"""Events and those who take part in them."""
