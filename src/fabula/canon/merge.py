"""Merging several entities into one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from fabula.canon.entity import EntityDraft, kept, save, touch
from fabula.canon.entry_keys import refuse_taken_key
from fabula.canon.event_links import merge_events
from fabula.canon.fact import hand_over
from fabula.canon.knowing import hand_over_knowers
from fabula.canon.relation import relation_identity
from fabula.canon.reveal import redirect as redirect_reveals
from fabula.canon.reveal import refuse_joining
from fabula.canon.scene_plan import redirect_points_of_view
from fabula.canon.step import Step
from fabula.canon.thread import redirect_people
from fabula.canon.versions import touched
from fabula.errors import InvalidInput
from fabula.model.entity import MAX_ALIASES, Entity, aliases_beside
from fabula.model.event import EVENT
from fabula.model.fact import FactKind, more_private
from fabula.model.level import stricter
from fabula.model.moment import first_instant, last_instant
from fabula.model.participation import Participation
from fabula.model.prompt_text import prompt_text
from fabula.model.relation import Relation

MAX_DESCRIPTION = 65_536


class Merged(NamedTuple):
    """The remaining entity, and how many relations were redirected to it or dropped."""

    entity: Entity
    redirected: int
    dropped: int


def merge(step: Step, target: Entity, sources: Sequence[Entity]) -> Merged:
    """Merge several entities into one: names become aliases, relations are redirected, nothing is lost."""
    refuse_joining(step, step.project_id, {target.id, *(source.id for source in sources)})
    after = target
    for source in sources:
        after = _united(after, source)
    _refuse_overlong(after)
    redirected, dropped = _redirect(step, after.id, {source.id for source in sources})
    _merge_entries(step, after, sources)
    turned = merge_events(step, after, sources)
    heirs = {source.id: target.id for source in sources}
    hand_over(step, FactKind.ENTITY, heirs)
    hand_over_knowers(step, heirs)
    redirect_people(step, heirs)
    redirect_reveals(step, heirs)
    redirect_points_of_view(step, heirs)
    step.remove(sources)
    if save(step, target, EntityDraft(after)) is target:
        touch(step, target)
    return Merged(kept(step, after), redirected + turned.redirected, dropped + turned.dropped)


def _united(kept: Entity, other: Entity) -> Entity:
    """Combine two entities: the kept one's values take precedence, the other's are added.

    Where both have different values under one key, the other's value is stored under the key with the other's
    name appended. The stricter context level applies.
    """
    attributes = _side_by_side(kept.attributes, other.attributes, other.name)
    description = kept.description
    if other.description.strip() and other.description.strip() not in description:
        description = f"{description.rstrip()}\n\n{other.description.strip()}".strip()
    return kept.model_copy(
        update={
            "aliases": aliases_beside(kept.name, (*kept.aliases, other.name, *other.aliases)),
            "names": (*kept.names, *(one for one in other.names if one not in kept.names)),
            "attributes": attributes,
            "description": description,
            "prompt_text": prompt_text(description, attributes),
            "significance": max(kept.significance, other.significance),
            # The merged text includes the later event, which must not be told before it happens.
            "since": (max if kept.type == other.type == EVENT else min)(
                kept.since, other.since, key=first_instant
            ),
            "until": max(kept.until, other.until, key=last_instant),
            **_united_validity(kept, other),
            "ai_context_level": stricter(kept.ai_context_level, other.ai_context_level),
            "secrecy": more_private(kept.secrecy, other.secrecy),
        }
    )


def _united_validity(kept: Entity, other: Entity) -> dict[str, Any]:
    """Return the validity of both: from the earlier beginning to the later end, told when both are told."""
    starts, ends = (kept.valid_from, other.valid_from), (kept.valid_to, other.valid_to)
    first = max if kept.type == other.type == EVENT else min
    return {
        "valid_from": None if None in starts else first(starts, key=lambda time: time.day if time else 0.0),
        "valid_to": None if None in ends else max(ends, key=lambda time: time.day if time else 0.0),
        "told": max(kept.told, other.told, key=first_instant),
    }


def _side_by_side(kept: dict[str, Any], other: dict[str, Any], name: str) -> dict[str, Any]:
    """Combine both; a differing value is stored under the key with the other's name appended."""
    both = dict(kept)
    for key, value in other.items():
        if key not in both:
            both[key] = value
        elif both[key] != value:
            both[_beside(key, name, both)] = value
    return both


def _beside(key: str, name: str, taken: dict[str, Any]) -> str:
    fresh, count = f"{key} ({name})"[:256], 2
    while fresh in taken:
        fresh, count = f"{key} ({name} {count})"[-256:], count + 1
    return fresh


def _refuse_overlong(entity: Entity) -> None:
    _refuse_overlong_text(entity.description)
    if len(entity.aliases) > MAX_ALIASES:
        raise InvalidInput(
            f"Together the entities would have more than {MAX_ALIASES} aliases.",
            details={"aliasCount": len(entity.aliases)},
            suggestion="Remove aliases before merging.",
        )


def _refuse_overlong_text(description: str) -> None:
    if len(description) > MAX_DESCRIPTION:
        raise InvalidInput(
            f"Together the descriptions would have more than {MAX_DESCRIPTION:,} characters.",
            details={"descriptionLength": len(description)},
            suggestion="Shorten the descriptions before merging.",
        )


def _redirect(step: Step, target: str, gone: set[str]) -> tuple[int, int]:
    """Redirect the relations of removed entities to the target; return how many were redirected and dropped.

    A relation among the merged entities is dropped; one that the target already has is merged into it. Roles
    in events are redirected with the events.
    """
    relations = [
        relation
        for relation in step.relations_of(step.project_id, [target, *sorted(gone)])
        if not isinstance(relation, Participation)
    ]
    affected = [r for r in relations if gone & {r.source_entity_id, r.target_entity_id}]
    present = {relation_identity(r): (r, r) for r in relations if r not in affected}
    dropped: list[Relation] = []
    heirs: dict[str, str] = {}
    for relation in affected:
        after = _turned(relation, target, gone)
        identity = relation_identity(after)
        if after.source_entity_id == after.target_entity_id:
            dropped.append(relation)
        elif identity in present:
            before, kept = present[identity]
            present[identity] = (before, _taking_up(kept, after))
            dropped.append(relation)
            heirs[relation.id] = kept.id
        else:
            present[identity] = (relation, after)
    hand_over(step, FactKind.RELATION, heirs)
    step.remove(dropped)
    step.replace([(before, touched(step, after)) for before, after in present.values() if after != before])
    return len(affected) - len(dropped), len(dropped)


def _turned(relation: Relation, target: str, gone: set[str]) -> Relation:
    source_end, target_end = relation.source_entity_id, relation.target_entity_id
    return relation.model_copy(
        update={
            "source_entity_id": target if source_end in gone else source_end,
            "target_entity_id": target if target_end in gone else target_end,
        }
    )


def _taking_up(kept: Relation, other: Relation) -> Relation:
    description = kept.description
    if other.description and other.description not in description:
        description = f"{description}\n{other.description}".strip()
        _refuse_overlong_text(description)
    longer = max(kept, other, key=lambda relation: last_instant(relation.until))
    return kept.model_copy(
        update={
            "description": description,
            "properties": _side_by_side(kept.properties, other.properties, "2"),
            "until": longer.until,
            "secrecy": more_private(kept.secrecy, other.secrecy),
            "told": max(kept.told, other.told, key=first_instant),
        }
    )


def _merge_entries(step: Step, target: Entity, sources: Sequence[Entity]) -> None:
    """Add the keywords of the sources' entries to the target's entry, or give it the first of those entries.

    The states of the sources become the target's.
    """
    project_id = step.project_id
    ids = [source.id for source in sources]
    states = step.states_of(project_id, ids)
    step.replace([(state, touched(step, state, entity_id=target.id)) for state in states])
    found = step.lore.entries_of(project_id, [target.id, *ids])
    others = [found[key] for key in ids if key in found]
    if not others:
        return
    own = found.get(target.id)
    heir = own or others[0]
    hand_over(step, FactKind.ENTRY, {entry.id: heir.id for entry in others if entry is not heir})
    keywords = dict.fromkeys(own.keywords if own else ())
    for entry in others:
        keywords.update(dict.fromkeys(entry.keywords))
    if own is not None:
        step.remove(others)
        step.replace([(own, touched(step, own, keywords=tuple(keywords)))])
        return
    first, *rest = others
    step.remove(rest)
    refuse_taken_key(step, target.name, first.id)
    taken_over = touched(step, first, entity_id=target.id, entry_key=target.name, keywords=tuple(keywords))
    step.replace([(first, taken_over)])
