"""Metrics for Prometheus: what is counted per request, and how several server processes add it up."""
