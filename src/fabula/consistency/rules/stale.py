"""A fact whose source no longer says it."""

from __future__ import annotations

from collections.abc import Iterator

from fabula.consistency.rule import WAIVE, ConsistencyRule, Discrepancy, FindingMessage, StoryFacts
from fabula.consistency.ties import relation_words
from fabula.context.stale_facts import StaleFound, stale_facts
from fabula.model.check import EstablishedThere, Fix, WrittenHere
from fabula.model.entity import Entity, EntityState
from fabula.model.fact import FactKind
from fabula.model.lore import LoreEntry
from fabula.model.relation import Relation

_MESSAGE: FindingMessage = {
    "zh": "“{name}”所依据的原文已经不在了。",
    "en": "What “{name}” rests on no longer stands in the text.",
}
_KINDS = {
    FactKind.ENTITY: "entity",
    FactKind.STATE: "state",
    FactKind.RELATION: "relation",
    FactKind.ENTRY: "entry",
}


def _find(facts: StoryFacts) -> Iterator[Discrepancy]:
    reader, project_id = facts.view.reader, facts.view.index.project_id
    scenes = {scene.id: scene for scene in facts.established.scenes}
    for found in stale_facts(reader, project_id, reader.evidence.all_of(project_id)):
        if not found.lost or found.kind not in _KINDS:
            continue
        lost = found.lost[0]
        scene = scenes.get(lost.scene_id)
        name, said = _in_words(facts, found)
        yield Discrepancy(
            message=_MESSAGE[facts.language].format(name=name),
            name=name,
            entity_id=_entity_id(found),
            here=WrittenHere(
                chapter=None if scene is None else scene.chapter_index,
                scene=None if scene is None else scene.scene_index,
                scene_id=None if scene is None else scene.id,
                quotation=lost.quotation,
            ),
            there=EstablishedThere.model_validate(
                {"kind": _KINDS[found.kind], "id": found.id, "quotation": said}
            ),
            facts=(f"{found.kind.value}:{found.id}",),
            fixes=(Fix(kind="waive", label=WAIVE[facts.language]),),
        )


def _in_words(facts: StoryFacts, found: StaleFound) -> tuple[str, str]:
    """What the fact is about, and what it says."""
    value, part = found.value, found.part
    if isinstance(value, Relation):
        words = relation_words(facts, value)
        return words, words
    if isinstance(value, LoreEntry):
        title = value.display_name or value.entry_key
        return title, value.content
    name = value.name if isinstance(value, Entity) else ""
    if isinstance(value, EntityState):
        slot = facts.view.index.roster.slot_of.get(value.entity_id)
        name = "" if slot is None else facts.view.index.entities(facts.view.reader, [slot])[0].name
    if part is not None:
        said = part.value if part.attribute is None else f"{part.attribute}: {part.value}"
        return name, str(said)
    described = value.description if isinstance(value, Entity | EntityState) else ""
    return name or found.id, described or name or found.id


def _entity_id(found: StaleFound) -> str | None:
    if isinstance(found.value, Entity):
        return found.value.id
    return found.value.entity_id if isinstance(found.value, EntityState) else None


STALE = ConsistencyRule(
    "stale",
    "warning",
    {"zh": "出处已不再这样写", "en": "A fact whose source has changed"},
    find_in_facts=_find,
)
