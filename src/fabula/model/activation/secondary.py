"""Secondary keywords: further words that decide after an entry was found."""

from __future__ import annotations

from typing import Literal

from fabula.model.activation.keywords import Keywords
from fabula.model.activation.rule import ActivationRule, Applicant, Occasion
from fabula.model.bilingual import Bilingual
from fabula.model.names import name_key
from fabula.model.reason import Reason
from fabula.model.wire import Value


class SecondaryFields(Value):
    """The secondary keywords of an entry, and how they are combined."""

    secondary_keywords: Keywords = ()
    secondary_logic: Literal["and_any", "and_all", "not_any", "not_all"] = "and_any"


def _disagree(entry: Applicant, on: Occasion) -> bool:
    rules: SecondaryFields = entry.rules
    if not rules.secondary_keywords:
        return False
    hits = {name_key(word) for word in rules.secondary_keywords if on.mentions(word)}
    found = [name_key(word) in hits for word in rules.secondary_keywords]
    agree = any(found) if rules.secondary_logic.endswith("_any") else all(found)
    return agree is rules.secondary_logic.startswith("not_")


SECONDARY = ActivationRule(
    _disagree,
    Reason(
        "secondary_keywords",
        "out",
        Bilingual("the secondary keywords do not agree", "次要关键词不符"),
        "found, but the secondary keywords do not agree",
    ),
    fields=SecondaryFields,
)
