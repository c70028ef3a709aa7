"""Exclude keywords: words in the text that keep an entry out."""

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
        Bilingual("an exclude keyword is in the text", "文中有排除词"),
        "an exclude keyword is in the text",
    ),
    fields=ExcludeFields,
)
