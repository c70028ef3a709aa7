"""The compiled index of one story: entities, adjacency, names and words."""
