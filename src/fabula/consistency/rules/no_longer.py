"""Somebody or something is named after being gone."""

from __future__ import annotations

from functools import partial

from fabula.consistency.absence import out_of_time
from fabula.consistency.rule import ConsistencyRule

NO_LONGER = ConsistencyRule(
    "no-longer",
    "info",
    {"zh": "已经离场又被提到", "en": "Named after being gone"},
    partial(out_of_time, "no_longer"),
)
