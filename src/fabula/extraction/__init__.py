"""Extracts proposals from prose; never saves anything."""
