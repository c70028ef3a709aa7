"""Reading changed scenes again, to see which facts they still say: words may stand that no longer say it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import orjson

from fabula.call import Call
from fabula.context.stale_facts import fact_values, gone_evidence
from fabula.extraction.known import KnownNames
from fabula.extraction.with_cast import SaidOf, names_with_cast, said_with_cast, tie_said
from fabula.model.entity import Entity, EntityState
from fabula.model.evidence import Evidence
from fabula.model.fact import FactKind
from fabula.model.manuscript import Scene
from fabula.model.relation import Language, Relation
from fabula.model.staleness import parts_of
from fabula.model.wire import Value
from fabula.operations.proposals.extractors import known_names
from fabula.store.reader import Reader

READINGS_KEPT = 256


def lost_evidence(
    call: Call, reader: Reader, project_id: str, evidence: Iterable[Evidence]
) -> frozenset[str]:
    """Return the ids of the evidence that no longer says its fact.

    Of a scene that has changed since, both texts are read with the cast as it is. What was read then and is
    not read now is lost, although its words may stand; what is read now is not, although they are gone. For
    all other facts, the words decide.
    """
    listed = list(evidence)
    gone = set(gone_evidence(reader, project_id, listed))
    scenes = reader.manuscript.scenes_of_ids(project_id, {one.scene_id for one in listed})
    changed = [
        one for one in listed if one.scene_id in scenes and scenes[one.scene_id].updated_at > one.created_at
    ]
    if not changed:
        return frozenset(gone)
    language = reader.story(project_id).language
    known = known_names(call, reader, project_id)
    values = fact_values(reader, project_id, {(one.fact_kind, one.fact_id) for one in changed})
    owners = {value.entity_id for value in values.values() if isinstance(value, EntityState)}
    ends = {key for value in values.values() for key in _ends(value)} | owners
    names = {key: entity.name for key, entity in reader.entities(project_id, ends).items()}
    texts = {scene_id: _texts(reader, scenes[scene_id]) for scene_id in {one.scene_id for one in changed}}
    for one in changed:
        value = values.get((one.fact_kind, one.fact_id))
        before = _text_at(texts[one.scene_id], one.created_at)
        now = scenes[one.scene_id].text
        if value is None or before is None or before == now:
            continue
        if one.fact_kind is FactKind.ENTITY and one.attests is None and isinstance(value, Entity):
            if one.id in gone and value.name in names_with_cast(now, known):
                gone.discard(one.id)
            continue
        said = _said_by(one, value, names)
        then = said & _read(before, known, language)
        if then and then <= _read(now, known, language):
            gone.discard(one.id)
        elif then:
            gone.add(one.id)
    return frozenset(gone)


@lru_cache(READINGS_KEPT)
def _read(text: str, known: KnownNames, language: Language) -> frozenset[SaidOf]:
    return frozenset(said_with_cast(text, known, language))


def _said_by(evidence: Evidence, value: Value, names: Mapping[str, str]) -> frozenset[SaidOf]:
    """Return what the quotation says of its fact, as a reading would find it."""
    if isinstance(value, Relation):
        one, other = (names.get(key, "") for key in _ends(value))
        return frozenset((tie_said(one, other, value.relation_type),))
    owner = value.entity_id if isinstance(value, EntityState) else str(getattr(value, "id", ""))
    about = frozenset((names.get(owner, ""),))
    return frozenset(
        SaidOf(about, part.attribute or "", part.value if part.attribute is None else str(part.value))
        for part in parts_of(evidence.attests)
    )


def _ends(value: Value) -> tuple[str, ...]:
    if isinstance(value, Relation):
        return value.source_entity_id, value.target_entity_id
    return (value.id,) if isinstance(value, Entity) else ()


def _texts(reader: Reader, scene: Scene) -> list[tuple[str, str]]:
    """Return the texts a scene has had, each with the time it was saved, in order."""
    images = (step.after_json for step in reader.log.row_steps(scene.project_id, scene.id))
    rows = (orjson.loads(image) for image in images if image is not None)
    return [(row["updated_at"], row["text"]) for row in rows]


def _text_at(texts: Iterable[tuple[str, str]], time: str) -> str | None:
    """Return the text that stood at a time."""
    found = None
    for saved, text in texts:
        if saved <= time:
            found = text
    return found
