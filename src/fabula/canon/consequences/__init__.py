"""What follows from the changes of a step, inside the same step.

Names come to exist in many ways: an entity is created, renamed, merged, imported, brought back. All of
them end here, so that whoever waited for a name is bound, and events are told with the names of today.
"""
