"""The relations between the entities in the scene, as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fabula.assembly.pieces import Dropped, KeptPiece, Message, Piece, PromptBlock, Weighed
from fabula.assembly.section import Section, Told
from fabula.assembly.sentences import RelationCandidate, sentences
from fabula.assembly.setting import SceneSetting
from fabula.model.bilingual import Bilingual
from fabula.model.moment import has_begun, is_over
from fabula.model.reason import BELOW_LINE, NO_LONGER, NOT_YET, RELATED, STALE, UNREVEALED
from fabula.model.wire import Value


class RelationsAnswer(Value):
    """The relations as sentences."""

    graph_relationships: str


_BLOCK = PromptBlock(
    "relations",
    Bilingual("Relations", "图谱关系"),
    Message.CONTEXT,
    order=20,
    heading=Bilingual("## Relations", "## 关系"),
)


def weigh(candidates: Iterable[RelationCandidate], setting: SceneSetting) -> Weighed[RelationCandidate]:
    """Tell the relations that hold now as sentences, the most relevant first."""
    weighed: Weighed[RelationCandidate] = Weighed()
    told: dict[str, RelationCandidate] = {}
    for candidate in candidates:
        if candidate.unrevealed:
            weighed.dropped.append(Dropped(candidate, UNREVEALED.code))
        elif not has_begun(candidate.since, setting.now):
            weighed.dropped.append(Dropped(candidate, NOT_YET.code))
        elif is_over(candidate.until, setting.now):
            weighed.dropped.append(Dropped(candidate, NO_LONGER.code))
        elif candidate.outdated:
            weighed.dropped.append(Dropped(candidate, STALE.code))
        elif candidate.says_little:
            weighed.dropped.append(Dropped(candidate, BELOW_LINE.code))
        else:
            told[candidate.id] = candidate
    said = sentences(told.values(), setting.language)
    for place, sentence in sorted(enumerate(said), key=lambda item: (-item[1].score, item[0])):
        piece = Piece(_BLOCK, sentence.text, setting.counter.count(sentence.text), place)
        own = tuple(told[id] for id in sentence.relation_ids)
        weighed.kept.append(KeptPiece(own, piece, RELATED.code, sentence.text))
    return weighed


def _tell(candidate: RelationCandidate, hushed: bool) -> Told:
    ends = f"{candidate.source_name} → {candidate.target_name} ({candidate.label})"
    return Told(
        candidate.id,
        candidate.id if hushed else ends,
        candidate.score,
        (),
        candidate.hop_path,
        stale=candidate.stale,
    )


def _answer(told: Sequence[KeptPiece[RelationCandidate]], setting: SceneSetting) -> dict[str, Any]:
    gap = "" if setting.language == "zh" else " "
    return {"graph_relationships": gap.join(kept.text for kept in told)}


RELATIONS = Section(
    key="relations",
    kind="relation",
    kind_label=Bilingual("relation", "关系"),
    blocks=(_BLOCK,),
    share=0.20,
    turn=30,
    second_turn=60,
    weigh=weigh,
    tell=_tell,
    left_out_order=lambda candidate: (-candidate.score, candidate.id),
    answers=RelationsAnswer,
    answer=_answer,
)
