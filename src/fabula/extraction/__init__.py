"""From prose to proposals; never saves."""
