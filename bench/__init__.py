"""Repeatable measurements, run by name: `python -m bench [name …] [--sizes 500,5000,50000] [--quick]`."""
