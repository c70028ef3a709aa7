"""Ties between the people, places and things of a text, as its sentences state them; pure."""
