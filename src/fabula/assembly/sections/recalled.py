"""Entries, and entities without one, that the text does not name but that the retrieval finds for it."""

from __future__ import annotations

from functools import partial

from fabula.assembly.section import OneByOne, Section
from fabula.assembly.sections.lore import (
    LORE,
    LoreCandidate,
    answer_by_position,
    judged,
    lore_blocks,
    render_into,
    tell_entry,
)
from fabula.assembly.setting import SceneSetting
from fabula.model.activation.rule import Verdict
from fabula.model.reason import BELOW_LINE

_BLOCKS = lore_blocks(later=5)


def _verdict(candidate: LoreCandidate, setting: SceneSetting) -> Verdict | None:
    """Judge an entry as if the text named it, and reject it if it bears too little on the text."""
    verdict = judged(candidate, setting)
    if verdict is not None and verdict.admitted and candidate.score < candidate.threshold:
        return Verdict(False, BELOW_LINE.code)
    return verdict


RECALLED = Section(
    key="recalled",
    kind=LORE.kind,
    kind_label=LORE.kind_label,
    blocks=tuple(_BLOCKS.values()),
    share=0.10,
    turn=55,
    second_turn=20,
    weigh=OneByOne(
        place=lambda candidate: (-candidate.score, candidate.entry_key, candidate.id),
        verdict=_verdict,
        render=partial(render_into, _BLOCKS),
        rank=lambda kept: kept.piece.place,
    ),
    tell=tell_entry,
    left_out_order=LORE.left_out_order,
    answers=LORE.answers,
    answer=answer_by_position,
)
