"""Which facts are stale: derived from their evidence and the manuscript as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from fabula.model.entity import Entity, EntityState
from fabula.model.event import EVENT
from fabula.model.evidence import Evidence
from fabula.model.fact import FactKind
from fabula.model.staleness import LEAST_MOVED, FactPart, WrittenText, stale_parts
from fabula.model.wire import Value
from fabula.store.reader import Reader


class StaleFound(NamedTuple):
    """A fact, or a part of one, that rests on nothing that still stands, with the quotations it has lost."""

    kind: FactKind
    id: str
    value: Value
    part: FactPart | None
    lost: tuple[Evidence, ...]


def gone_evidence(reader: Reader, project_id: str, evidence: Iterable[Evidence]) -> frozenset[str]:
    """Return the ids of the evidence whose quotations stand nowhere any more."""
    listed = list(evidence)
    scenes = reader.manuscript.scenes_of_ids(project_id, {one.scene_id for one in listed})
    texts = {key: WrittenText(scene.text) for key, scene in scenes.items()}
    missing = [
        one
        for one in listed
        if one.scene_id not in texts or not texts[one.scene_id].has(one.quotation, one.occurrence)
    ]
    if not missing:
        return frozenset()
    whole = {scene.id: WrittenText(scene.text) for scene in reader.manuscript.scenes(project_id)}
    return frozenset(one.id for one in missing if not _is_moved(one, whole))


def _is_moved(evidence: Evidence, texts: Mapping[str, WrittenText]) -> bool:
    """Whether a quotation stands in another scene than it did."""
    if len("".join(evidence.quotation.split())) < LEAST_MOVED:
        return False
    return any(text.has(evidence.quotation) for key, text in texts.items() if key != evidence.scene_id)


def stale_facts(
    reader: Reader, project_id: str, evidence: Iterable[Evidence], gone: frozenset[str] | None = None
) -> list[StaleFound]:
    """Return what is stale of the facts that this evidence belongs to; it must be all they have.

    `gone` are the ids of the evidence that is lost, by default that whose words stand nowhere.
    """
    listed = list(evidence)
    if gone is None:
        gone = gone_evidence(reader, project_id, listed)
    if not gone:
        return []
    by_fact: dict[tuple[FactKind, str], list[Evidence]] = {}
    for one in listed:
        by_fact.setdefault((one.fact_kind, one.fact_id), []).append(one)
    touched = {key: own for key, own in by_fact.items() if any(one.id in gone for one in own)}
    values = fact_values(reader, project_id, touched)
    found: list[StaleFound] = []
    for key, own in touched.items():
        value = values.get(key)
        if value is None:
            continue
        lost = tuple(one for one in own if one.id in gone)
        if len(lost) == len(own):
            found.append(StaleFound(*key, value, None, lost))
            continue
        text, attributes = _said_by(value)
        for part in stale_parts(own, gone, text, attributes):
            says = tuple(one for one in lost if _says(one, part))
            found.append(StaleFound(*key, value, part, says))
    return found


def _says(evidence: Evidence, part: FactPart) -> bool:
    attests = evidence.attests
    if attests is None:
        return False
    if part.attribute is None:
        return bool(attests.text == part.value)
    return part.attribute in attests.attributes and bool(attests.attributes[part.attribute] == part.value)


def _said_by(value: Value) -> tuple[str, Mapping[str, Any]]:
    """Return the text and the attributes of a fact of which quotations may say parts."""
    if isinstance(value, EntityState) or (isinstance(value, Entity) and value.type != EVENT):
        return value.description, value.attributes
    return "", {}


def fact_values(
    reader: Reader, project_id: str, keys: Iterable[tuple[FactKind, str]]
) -> dict[tuple[FactKind, str], Value]:
    """Return the facts with these kinds and ids that the story has."""
    ids: dict[FactKind, set[str]] = {}
    for kind, key in keys:
        ids.setdefault(kind, set()).add(key)
    relations = ids.get(FactKind.RELATION, set())
    found: dict[FactKind, Mapping[str, Value]] = {
        FactKind.ENTITY: reader.entities(project_id, ids.get(FactKind.ENTITY, ())),
        FactKind.ENTRY: reader.lore.entries(project_id, ids.get(FactKind.ENTRY, ())),
        FactKind.STATE: reader.evidence.states(project_id, ids.get(FactKind.STATE, ())),
        FactKind.RELATION: {
            **{one.id: one for one in reader.events.pending(project_id, relations)},
            **reader.relations(project_id, relations),
        },
    }
    return {(kind, key): value for kind, own in found.items() for key, value in own.items()}
