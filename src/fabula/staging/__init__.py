"""Who is present at each line of a scene, read from its words."""
