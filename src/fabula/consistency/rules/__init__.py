"""Every consistency rule, one per file; register new ones here."""

from __future__ import annotations

from fabula.consistency.rule import ConsistencyRule
from fabula.consistency.rules.dead import DEAD
from fabula.consistency.rules.out_of_time import OUT_OF_TIME
from fabula.consistency.rules.secret import SECRET

RULES: tuple[ConsistencyRule, ...] = (OUT_OF_TIME, DEAD, SECRET)
