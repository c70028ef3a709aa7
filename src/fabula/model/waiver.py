"""Waivers: findings of checks that the author says are intended."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from fabula.model.wire import Value


class Waiver(Value):
    """A finding that is intended, and why.

    It is recognised by its rule, the facts it is about (`kind:id`) and the fingerprints of what is written
    and what is established, so that it stays waived while the text around it moves.
    """

    id: str
    project_id: str
    rule: str
    facts: tuple[str, ...]
    here: str
    there: str
    here_quotation: str
    there_quotation: str
    reason: str
    created_at: str


def waiver_key(rule: str, facts: Iterable[str], here: str, there: str) -> str:
    """What identifies a finding: its rule, its facts and the fingerprints of both quotations."""
    joined = "\x1f".join((rule, *sorted(facts), here, there))
    return blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
