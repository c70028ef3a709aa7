"""The activation rules, which decide whether a lorebook entry is included, in order of precedence."""

from __future__ import annotations

from collections.abc import Sequence

from fabula.model.activation.exclude import EXCLUDED, ExcludeFields
from fabula.model.activation.keywords import KeywordFields
from fabula.model.activation.rule import ActivationRule, Applicant, Occasion, Verdict
from fabula.model.activation.secondary import SECONDARY, SecondaryFields
from fabula.model.activation.standing import (
    ALWAYS_TOLD,
    COMES_TO_MIND,
    FOUND,
    LEFT_TO_THE_CALLER,
    NAMED_LATER,
    NEVER_TOLD,
    NO_LONGER_TRUE,
    NOT_FOUND,
    NOT_TRUE_YET,
    PINNED_BY_THE_CALL,
    SAYS_NOTHING,
    SECRET,
    SWITCHED_OFF,
    UNKNOWN,
)

RULES: tuple[ActivationRule, ...] = (
    NEVER_TOLD,
    UNKNOWN,
    NOT_TRUE_YET,
    NO_LONGER_TRUE,
    NAMED_LATER,
    LEFT_TO_THE_CALLER,
    SWITCHED_OFF,
    SECRET,
    SAYS_NOTHING,
    PINNED_BY_THE_CALL,
    ALWAYS_TOLD,
    # From here on the text decides.
    EXCLUDED,
    NOT_FOUND,
    SECONDARY,
    COMES_TO_MIND,
    FOUND,
)


# Pydantic orders fields from the last class to the first.
class ActivationRules(ExcludeFields, SecondaryFields, KeywordFields):
    """The rules an author sets for the keywords of an entry."""


def judge(entry: Applicant, on: Occasion, rules: Sequence[ActivationRule] = RULES) -> Verdict | None:
    """The verdict of the first rule that applies; None if it gives none."""
    for rule in rules:
        if rule.applies(entry, on):
            return rule.verdict
    return None
