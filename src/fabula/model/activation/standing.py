"""The rules that apply to every entry: level, period, enabled, redaction, pinning and detection."""

from __future__ import annotations

from fabula.model.activation.rule import ActivationRule, Applicant, Occasion
from fabula.model.audience import Withheld
from fabula.model.level import AiContextLevel
from fabula.model.moment import has_begun, is_over
from fabula.model.reason import (
    ALWAYS,
    DETECTED,
    DISABLED,
    EMPTY,
    LEVEL_MANUAL_ONLY,
    LEVEL_NEVER,
    NAMES_A_SECRET,
    NO_LONGER,
    NOT_KNOWN,
    NOT_YET,
    NOT_YET_NAMED,
    PINNED,
    RECALLED,
)


def _names_a_secret(entry: Applicant, _: Occasion) -> bool:
    withheld = entry.withheld
    if withheld is Withheld.NOTHING:
        return False
    return Withheld.WHOLE in withheld or (Withheld.SENTENCES in withheld and not entry.content.strip())


def _is_left_to_the_caller(entry: Applicant, _: Occasion) -> bool:
    return entry.level is AiContextLevel.MANUAL_ONLY and not entry.pinned


NEVER_TOLD = ActivationRule(lambda entry, _: entry.level is AiContextLevel.NEVER, LEVEL_NEVER)
UNKNOWN = ActivationRule(lambda entry, _: entry.is_unknown, NOT_KNOWN)
NOT_TRUE_YET = ActivationRule(lambda entry, on: not has_begun(entry.since, on.now), NOT_YET)
NAMED_LATER = ActivationRule(lambda entry, _: entry.named_later, NOT_YET_NAMED)
NO_LONGER_TRUE = ActivationRule(lambda entry, on: is_over(entry.until, on.now), NO_LONGER)
LEFT_TO_THE_CALLER = ActivationRule(_is_left_to_the_caller, LEVEL_MANUAL_ONLY)
SWITCHED_OFF = ActivationRule(lambda entry, _: not entry.enabled, DISABLED)
SECRET = ActivationRule(_names_a_secret, NAMES_A_SECRET)
SAYS_NOTHING = ActivationRule(lambda entry, _: not entry.content.strip(), EMPTY)
PINNED_BY_THE_CALL = ActivationRule(lambda entry, _: entry.pinned, PINNED, admits=True)
ALWAYS_TOLD = ActivationRule(lambda entry, _: entry.level is AiContextLevel.ALWAYS, ALWAYS, admits=True)
NOT_FOUND = ActivationRule(lambda entry, _: not entry.matches and not entry.recalled, None)
COMES_TO_MIND = ActivationRule(lambda entry, _: not entry.matches, RECALLED, admits=True)
FOUND = ActivationRule(lambda entry, _: True, DETECTED, admits=True)
