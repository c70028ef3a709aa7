"""Conversations about a scene, from the web page and through the proxy."""
