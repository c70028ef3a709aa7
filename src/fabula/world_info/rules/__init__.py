"""The rules of a scan in the order of decision, and the reasons that end an entry afterwards."""

from __future__ import annotations

from fabula.model.bilingual import Bilingual
from fabula.model.reason import Reason
from fabula.world_info.entry import CompiledEntry
from fabula.world_info.rules.filters import OTHER_CHARACTER, OTHER_TAGS, OTHER_TRIGGER, SWITCHED_OFF
from fabula.world_info.rules.keywords import FOUND, NO_KEYS, NOT_FOUND, SECONDARY
from fabula.world_info.rules.rule import ScanOccasion, ScanRule
from fabula.world_info.rules.standing import CONSTANT, FORCED, SILENCED, STICKY
from fabula.world_info.rules.timing import (
    AWAITS_LEVEL,
    AWAITS_RECURSION,
    COOLING,
    DELAYED,
    REFUSES_RECURSION,
)

RULES: tuple[ScanRule, ...] = (
    SWITCHED_OFF,
    OTHER_TRIGGER,
    OTHER_CHARACTER,
    OTHER_TAGS,
    DELAYED,
    COOLING,
    AWAITS_RECURSION,
    AWAITS_LEVEL,
    REFUSES_RECURSION,
    FORCED,
    SILENCED,
    CONSTANT,
    STICKY,
    # From here on the text decides.
    NO_KEYS,
    NOT_FOUND,
    SECONDARY,
    FOUND,
)

GROUP = Reason(
    "group",
    "out",
    Bilingual("another entry of its group was chosen", "同组的另一条目被选中"),
    "only one entry of an inclusion group fires, or one of it is active already",
)
PROBABILITY = Reason(
    "probability", "out", Bilingual("the dice said no", "概率未中"), "its `probability` did not come true"
)
OVER_BUDGET = Reason(
    "over_budget", "out", Bilingual("over the budget", "超出预算"), "its text did not fit into the budget"
)
SAME_UID = Reason(
    "same_uid",
    "out",
    Bilingual("replaced by an entry with the same uid", "被相同 uid 的条目取代"),
    "a later entry of the book has the same `uid` and takes its place",
)
PATTERN_TIMEOUT = Reason(
    "pattern_timeout",
    "out",
    Bilingual("its pattern took too long", "正则表达式超时"),
    "one of its patterns was ended at its deadline",
)
UNREADABLE = Reason(
    "unreadable",
    "out",
    Bilingual("its content is not text", "内容不是文本"),
    "its `content` is not text, or the entry is no object",
)

SCAN_REASONS: tuple[Reason, ...] = (
    *(rule.reason for rule in RULES),
    GROUP,
    PROBABILITY,
    OVER_BUDGET,
    SAME_UID,
    PATTERN_TIMEOUT,
    UNREADABLE,
)


def judge(entry: CompiledEntry, on: ScanOccasion) -> ScanRule:
    """The first rule that applies; the last one always does."""
    rules: tuple[ScanRule, ...] = entry.judged_by
    if not rules:
        rules = entry.judged_by = tuple(rule for rule in RULES if rule.concerns(entry))
    for rule in rules:
        if rule.applies(entry, on):
            return rule
    raise LookupError("no rule applies")
