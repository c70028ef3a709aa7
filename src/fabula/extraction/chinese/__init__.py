"""Finds names in Chinese prose: word tables, candidates, and the segmentation that picks among them."""
