"""Somebody or something is named before being introduced."""

from __future__ import annotations

from functools import partial

from fabula.consistency.absence import out_of_time
from fabula.consistency.rule import ConsistencyRule

NOT_YET = ConsistencyRule(
    "not-yet",
    "warning",
    {"zh": "尚未登场就被提到", "en": "Named before being introduced"},
    partial(out_of_time, "not_yet"),
)
