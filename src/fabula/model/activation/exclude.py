"""Exclude keywords: words that keep an entry out while they stand in the text."""

from __future__ import annotations

from fabula.model.activation.keywords import Keywords
from fabula.model.activation.rule import ActivationRule, Applicant, Occasion
from fabula.model.bilingual import Bilingual
from fabula.model.reason import Reason
from fabula.model.wire import Value


class ExcludeFields(Value):
    """The exclude keywords of an entry."""

    exclude_keywords: Keywords = ()


def _is_excluded(entry: Applicant, on: Occasion) -> bool:
    rules: ExcludeFields = entry.rules
    return any(on.mentions(word) for word in rules.exclude_keywords)


EXCLUDED = ActivationRule(
    _is_excluded,
    Reason(
        "excluded_keyword",
        "out",
        Bilingual("an exclude keyword stands in the text", "文中有排除词"),
        "an exclude keyword stands in the text",
    ),
    fields=ExcludeFields,
)
