"""Conversations about a scene, in the page and through the proxy."""
