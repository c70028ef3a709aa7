"""Derived changes that follow from a step, made within the same step.

An entity gains a name by being created, renamed, merged, imported or restored. All of these paths end here,
so that pending names are bound and the texts of events use current names.
"""
