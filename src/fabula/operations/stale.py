"""Stale facts: what the manuscript no longer says, and what the author does about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field
from rapidfuzz import fuzz

from fabula.assembly.prose import whole_sentences
from fabula.call import Call
from fabula.canon import entity as entities
from fabula.canon import entry as entries
from fabula.canon import relation as relations
from fabula.canon import state as states
from fabula.canon.entity import EntityDraft, EntityPatch
from fabula.canon.entry_values import LorebookEntryPatch
from fabula.canon.evidence import attest_less, detach
from fabula.canon.relation_fields import RelationPatch, changes_of
from fabula.canon.state import StateFields
from fabula.canon.step import Step, write
from fabula.context.stale_facts import StaleFound, stale_facts
from fabula.errors import Conflict, InvalidInput
from fabula.model.account import Role
from fabula.model.entity import Entity, EntityState
from fabula.model.event import PendingRelation
from fabula.model.evidence import Evidence
from fabula.model.fact import FactKind, FactRef
from fabula.model.lore import LoreEntry
from fabula.model.manuscript import Scene
from fabula.model.parsing import parsed
from fabula.model.relation import Relation
from fabula.model.staleness import FactPart, text_without
from fabula.model.wire import OpenJson, Value
from fabula.operations.rereading import lost_evidence
from fabula.operations.table import StoryRequest, operation
from fabula.store.reader import Reader

MOST_CHOICES = 1_000
LIKE = 55.0


class LostQuotation(Value):
    """A quotation that no longer stands in its scene, and the sentence there now that is most like it."""

    id: str
    scene_id: str
    chapter: int | None
    scene: int | None
    quotation: str
    now: str | None


class StaleFact(Value):
    """A fact, or a part of one, that the manuscript no longer says.

    `part` names the part: `attribute:` with the attribute, or `text:` with a fingerprint; without one, the
    whole fact is stale. `says` is what it says, `name` is the entity it is about.
    """

    kind: FactKind
    id: str
    part: str | None
    entity_id: str | None
    name: str
    says: str
    version: int | None
    evidence: tuple[LostQuotation, ...]


class ListStaleResponse(Value):
    """The stale facts of a story."""

    items: tuple[StaleFact, ...]
    total_count: int


class ListStaleRequest(StoryRequest):
    """The stale facts of a story, or of one entity."""

    entity_id: str | None = None


class StaleChoice(FactRef):
    """What to do about a stale fact; without `part`, about all that is stale of it.

    To confirm it is to say that it is true all the same, to correct it is to change it by `patch`, and to
    drop it is to delete it.
    """

    part: str | None = None
    action: Literal["confirm", "correct", "drop"]
    patch: OpenJson | None = None


class ResolveStaleRequest(StoryRequest):
    """What to do about stale facts, in one step."""

    items: Annotated[tuple[StaleChoice, ...], Field(min_length=1, max_length=MOST_CHOICES)]


class ResolveStaleResponse(Value):
    """How many facts were confirmed, corrected and dropped, and the stale facts that are left."""

    confirmed: int
    corrected: int
    dropped: int
    left: int


@operation("stale.list", role=Role.READER)
def list_stale(call: Call, request: ListStaleRequest) -> ListStaleResponse:
    """List the facts that the manuscript no longer says."""
    project_id = request.project_id
    with call.store.read() as reader:
        reader.story(project_id)
        found = _stale(call, reader, project_id, reader.evidence.all_of(project_id))
        items = _shown(reader, project_id, found)
    if request.entity_id is not None:
        items = tuple(one for one in items if one.entity_id == request.entity_id)
    return ListStaleResponse(items=items, total_count=len(items))


@operation("stale.resolve", role=Role.EDITOR)
def resolve_stale(call: Call, request: ResolveStaleRequest) -> ResolveStaleResponse:
    """Confirm, correct or drop stale facts, all in one step."""
    project_id = request.project_id
    with call.store.read() as reader:
        reader.story(project_id)
        named: dict[FactKind, list[str]] = {}
        for choice in request.items:
            named.setdefault(choice.kind, []).append(choice.id)
        own = [one for kind, ids in named.items() for one in reader.evidence.of_facts(project_id, kind, ids)]
        # Read before the step, because an index never follows a step that may yet be refused.
        lost = lost_evidence(call, reader, project_id, own)

    def work(step: Step) -> None:
        for choice in request.items:
            _resolve(step, choice, lost)

    write(call, project_id, "stale:resolve", work)
    counts = Counter(choice.action for choice in request.items)
    with call.store.read() as reader:
        left = _stale(call, reader, project_id, reader.evidence.all_of(project_id))
    return ResolveStaleResponse(
        confirmed=counts["confirm"], corrected=counts["correct"], dropped=counts["drop"], left=len(left)
    )


def _stale(call: Call, reader: Reader, project_id: str, evidence: Sequence[Evidence]) -> list[StaleFound]:
    return stale_facts(reader, project_id, evidence, lost_evidence(call, reader, project_id, evidence))


def _resolve(step: Step, choice: StaleChoice, lost: frozenset[str]) -> None:
    own = step.evidence.of_facts(step.project_id, choice.kind, [choice.id])
    found = [
        one
        for one in stale_facts(step, step.project_id, own, lost)
        if choice.part is None or (one.part is not None and one.part.key == choice.part)
    ]
    if not found:
        raise Conflict(
            "This fact is not stale, or no longer.",
            details={"kind": choice.kind, "id": choice.id, "part": choice.part},
            suggestion="List the stale facts again.",
        )
    if choice.action == "drop":
        for one in found:
            _drop(step, one)
    elif choice.action == "correct":
        if not choice.patch:
            raise InvalidInput("A correction needs a patch.", details={"field": "patch", "id": choice.id})
        _CORRECTED[choice.kind](step, found[0].value, choice.patch)
    for one in found:
        _settle(step, one)


def _settle(step: Step, found: StaleFound) -> None:
    """Remove what the fact no longer rests on, so that it stands by itself."""
    standing = step.evidence.of_facts(step.project_id, found.kind, [found.id])
    lost = {one.id for one in found.lost}
    own = [one for one in standing if one.id in lost]
    if found.part is None:
        detach(step, own)
    else:
        for one in own:
            attest_less(step, one, found.part)


def _drop(step: Step, found: StaleFound) -> None:
    value = found.value
    if found.part is not None and isinstance(value, Entity | EntityState):
        _drop_part(step, found.kind, found.id, found.part)
    elif isinstance(value, Entity):
        entities.remove(step, [value])
    elif isinstance(value, EntityState):
        states.remove(step, value)
    elif isinstance(value, LoreEntry):
        entries.remove(step, value)
    elif isinstance(value, Relation):
        relations.remove(step, [value])
    else:
        step.remove([value])
    step.settle()


def _drop_part(step: Step, kind: FactKind, fact_id: str, part: FactPart) -> None:
    value = (
        step.state(step.project_id, fact_id)
        if kind is FactKind.STATE
        else step.entity(step.project_id, fact_id)
    )
    if value is None:
        return
    text, attributes = text_without(value.description, value.attributes, [part])
    changes = {"description": text, "attributes": attributes}
    if isinstance(value, Entity):
        after = entities.retold(value, value.model_copy(update=changes))
        entities.save(step, value, EntityDraft(after))
    elif text or attributes:
        states.save(step, value, value.model_copy(update=changes))
    else:
        states.remove(step, value)


def _correct_entity(step: Step, value: Any, patch: dict[str, Any]) -> None:
    entities.save(step, value, entities.patched(step, value, parsed(EntityPatch, patch)))


def _correct_state(step: Step, value: Any, patch: dict[str, Any]) -> None:
    told = {name: getattr(value, name) for name in StateFields.model_fields}
    fields = parsed(StateFields, {**told, **patch})
    states.save(step, value, value.model_copy(update=dict(fields)))


def _correct_entry(step: Step, value: Any, patch: dict[str, Any]) -> None:
    entries.save(step, value, parsed(LorebookEntryPatch, patch))


def _correct_relation(step: Step, value: Any, patch: dict[str, Any]) -> None:
    if isinstance(value, PendingRelation):
        raise InvalidInput(
            "A relation that waits for its target cannot be corrected.", details={"id": value.id}
        )
    told = parsed(RelationPatch, patch)
    relations.save(step, value, value.model_copy(update=changes_of(step, value, told)), told.relation_type)


_CORRECTED: Mapping[FactKind, Callable[[Step, Any, dict[str, Any]], None]] = {
    FactKind.ENTITY: _correct_entity,
    FactKind.STATE: _correct_state,
    FactKind.ENTRY: _correct_entry,
    FactKind.RELATION: _correct_relation,
}


# How they are shown


def _shown(reader: Reader, project_id: str, found: list[StaleFound]) -> tuple[StaleFact, ...]:
    ends = {key for one in found for key in _ends(one.value)}
    names = {key: entity.name for key, entity in reader.entities(project_id, ends).items()}
    scenes = reader.manuscript.scenes_of_ids(project_id, {one.scene_id for it in found for one in it.lost})
    return tuple(
        StaleFact(
            kind=one.kind,
            id=one.id,
            part=None if one.part is None else one.part.key,
            entity_id=next(iter(_ends(one.value)), None),
            name=" → ".join(names.get(key, "") for key in _ends(one.value)),
            says=_says(one),
            version=getattr(one.value, "version", None),
            evidence=tuple(_lost(own, scenes.get(own.scene_id)) for own in one.lost),
        )
        for one in found
    )


def _ends(value: Value) -> tuple[str, ...]:
    """Return the entities that a fact is about."""
    if isinstance(value, Entity):
        return (value.id,)
    if isinstance(value, Relation):
        return value.source_entity_id, value.target_entity_id
    owner = getattr(value, "entity_id", None) or getattr(value, "source_entity_id", None)
    return () if owner is None else (owner,)


def _says(found: StaleFound) -> str:
    value, part = found.value, found.part
    if part is not None:
        return str(part.value) if part.attribute is None else f"{part.attribute}: {part.value}"
    if isinstance(value, Relation | PendingRelation):
        return f"{value.relation_type} {value.description}".strip()
    if isinstance(value, LoreEntry):
        return value.content or value.entry_key
    if isinstance(value, Entity | EntityState):
        traits = [f"{key}: {item}" for key, item in value.attributes.items()]
        return "\n".join(filter(None, (value.description, *traits)))
    return ""


def _lost(evidence: Evidence, scene: Scene | None) -> LostQuotation:
    return LostQuotation(
        id=evidence.id,
        scene_id=evidence.scene_id,
        chapter=None if scene is None else scene.chapter_index,
        scene=None if scene is None else scene.scene_index,
        quotation=evidence.quotation,
        now=None if scene is None else _most_like(evidence.quotation, scene.text),
    )


def _most_like(quotation: str, text: str) -> str | None:
    """Return the sentence of a text that is most like a quotation; None if none is."""
    said = [text[start:end].strip() for start, end in whole_sentences(text)]
    scored = [(fuzz.ratio(quotation, one), one) for one in said if one]
    best, sentence = max(scored, default=(0.0, ""))
    return sentence if best >= LIKE else None
