"""What a model is told for a scene."""
