"""Findings of checks: what is written, what is established, and how either can be mended."""

from __future__ import annotations

from typing import Literal

from fabula.model.moment import Moment
from fabula.model.wire import Value

Severity = Literal["error", "warning", "info", "off"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info", "off")
FixKind = Literal["change_text", "add_state", "correct_fact", "waive"]


class WrittenHere(Value):
    """What is written: the sentence and its offsets, and in it the words that are wrong.

    A finding about facts that no text states has neither scene nor offsets.
    """

    chapter: int | None = None
    scene: int | None = None
    scene_id: str | None = None
    start: int | None = None
    end: int | None = None
    mark_start: int | None = None
    mark_end: int | None = None
    quotation: str


class EstablishedThere(Value):
    """What is established: a sentence of a scene with its offsets, or a fact or a rule in words."""

    kind: Literal["scene", "entity", "state", "relation", "entry", "thread", "calendar", "ontology"]
    id: str
    chapter: int | None = None
    scene: int | None = None
    start: int | None = None
    end: int | None = None
    quotation: str


class Fix(Value):
    """A way to mend a finding in one step; `text` replaces the marked words, `key` and `value` are a fact."""

    kind: FixKind
    label: str
    text: str | None = None
    key: str | None = None
    value: str | None = None


class Finding(Value):
    """What is wrong with a passage, and the sentence that says it.

    `here` is what is written, `there` what is established.
    """

    kind: str
    entity_id: str | None
    name: str
    term: str
    start: int
    end: int
    quotation: str
    message: str
    since: Moment | None = None
    until: Moment | None = None
    rule: str = ""
    here: WrittenHere | None = None
    there: EstablishedThere | None = None


class CheckFinding(Value):
    """What is wrong in a saved scene or among the facts, with both quotations."""

    id: str
    rule: str
    severity: Severity
    message: str
    entity_id: str | None
    name: str
    here: WrittenHere
    there: EstablishedThere | None
    confidence: float
    fixes: tuple[Fix, ...]
    facts: tuple[str, ...]
    waived: bool
    waiver_id: str | None = None
