"""Rules that decide without a key: decorators, constant entries, sticky entries."""

from __future__ import annotations

from fabula.model.bilingual import Bilingual
from fabula.model.reason import Reason
from fabula.world_info.rules.rule import ScanRule

FORCED = ScanRule(
    lambda entry, _: entry.activates,
    Reason(
        "decorator", "in", Bilingual("a decorator fires it", "由装饰器触发"), "its content has `@@activate`"
    ),
    admits=True,
    concerns=lambda entry: entry.activates,
)
SILENCED = ScanRule(
    lambda entry, _: entry.silenced,
    Reason(
        "silenced",
        "out",
        Bilingual("a decorator keeps it out", "被装饰器禁止"),
        "its content has `@@dont_activate`",
    ),
    concerns=lambda entry: entry.silenced,
)
CONSTANT = ScanRule(
    lambda entry, _: entry.constant,
    Reason("constant", "in", Bilingual("always active", "始终激活"), "`constant` is true"),
    admits=True,
    concerns=lambda entry: entry.constant,
)
STICKY = ScanRule(
    lambda entry, on: on.is_sticky(entry),
    Reason("sticky", "in", Bilingual("still active", "仍在生效"), "it fired and its `sticky` is not over"),
    admits=True,
    concerns=lambda entry: bool(entry.sticky),
)
