"""Every consistency rule, one per file; register new ones here."""

from __future__ import annotations

from fabula.consistency.rule import ConsistencyRule
from fabula.consistency.rules.age import AGE
from fabula.consistency.rules.bond import BOND
from fabula.consistency.rules.count import COUNT
from fabula.consistency.rules.dead_acts import DEAD_ACTS
from fabula.consistency.rules.kin import KIN
from fabula.consistency.rules.knows_too_much import KNOWS_TOO_MUCH
from fabula.consistency.rules.name import NAME
from fabula.consistency.rules.no_longer import NO_LONGER
from fabula.consistency.rules.not_yet import NOT_YET
from fabula.consistency.rules.number import NUMBER
from fabula.consistency.rules.order import ORDER
from fabula.consistency.rules.secret import SECRET
from fabula.consistency.rules.stale import STALE
from fabula.consistency.rules.story_rules import STORY_RULES
from fabula.consistency.rules.thread import THREAD
from fabula.consistency.rules.trait import TRAIT
from fabula.consistency.rules.two_holders import TWO_HOLDERS
from fabula.consistency.rules.two_places import TWO_PLACES

RULES: tuple[ConsistencyRule, ...] = (
    NOT_YET,
    NO_LONGER,
    DEAD_ACTS,
    TWO_PLACES,
    TRAIT,
    KIN,
    AGE,
    ORDER,
    COUNT,
    NUMBER,
    KNOWS_TOO_MUCH,
    NAME,
    BOND,
    TWO_HOLDERS,
    THREAD,
    STALE,
    STORY_RULES,
    SECRET,
)
