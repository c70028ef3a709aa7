"""Relations: the only way to save, change and remove them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fabula.canon.relation_fields import RelationFields, told_fields
from fabula.canon.scope import existing_relation, foreign_ids
from fabula.canon.step import Step
from fabula.canon.versions import touched
from fabula.canon.world_time import refuse_backward_world
from fabula.errors import Conflict, RelationInvalid
from fabula.model.event import PendingRelation
from fabula.model.moment import Moment
from fabula.model.ontology import relation_type
from fabula.model.participation import ROLE, Participation
from fabula.model.relation import Period, Relation, RelationType
from fabula.model.validity import FactStart, beginning
from fabula.model.wire import is_same
from fabula.store.kinds import RELATION
from fabula.store.reader import Reader

RelationIdentity = tuple[str, str, str, FactStart]


def new_relation(
    step: Step, source: str, target: str, fields: RelationFields, relation_id: str | None = None
) -> Relation:
    """Return the relation that the fields describe, not yet saved."""
    relation = Relation.trusted(
        id=relation_id or step.new_id(),
        project_id=step.project_id,
        source_entity_id=source,
        target_entity_id=target,
        relation_type=relation_type(fields.relation_type),
        **told_fields(step, step.project_id, fields),
        version=1,
        created_at=step.now,
        updated_at=step.now,
    )
    refuse_backward_period(relation)
    return relation


def new_pending(
    step: Step,
    source: str,
    target_name: str,
    kind: str,
    description: str,
    since: Moment | None,
    until: Moment | None,
) -> PendingRelation:
    """Return a pending relation, bound once an entity bears its target's name, not yet saved."""
    return PendingRelation.trusted(
        id=step.new_id(),
        project_id=step.project_id,
        source_entity_id=source,
        target_name=target_name,
        relation_type=kind,
        description=description,
        since=since,
        until=until,
    )


def register_types(step: Step, words: Iterable[tuple[str, str]]) -> None:
    """Add a relation type for each word (key, as written) that the story does not know yet."""
    unsure = {key: word for key, word in words if key not in step.known_types}
    known = step.types_among(step.project_id, unsure) if unsure else set()
    fresh = {key: word for key, word in unsure.items() if key not in known}
    step.add(
        [
            RelationType.trusted(
                id=step.new_id(),
                project_id=step.project_id,
                key=key,
                label=word,
                labels={"zh": word, "en": word},
                builtin=False,
                created_at=step.now,
            )
            for key, word in fresh.items()
        ]
    )


def refuse_bad_ends(step: Step, source: str, target: str, kind: str) -> None:
    """Refuse a relation from an entity to itself, to a missing entity, or to another story.

    The same question finds out whether the story knows the relation's type.
    """
    if source == target:
        raise RelationInvalid(
            "An entity cannot be related to itself.",
            details={"reason": "self_loop", "entityId": source},
            suggestion="Choose two different entities; say what concerns one alone in its attributes.",
        )
    found, is_known = step.known_among(step.project_id, [source, target], kind)
    missing = [entity_id for entity_id in (source, target) if entity_id not in found]
    if missing:
        raise bad_ends(step, step.project_id, missing)
    if is_known:
        step.known_types.add(kind)


def bad_ends(reader: Reader, project_id: str, missing: list[str]) -> RelationInvalid:
    """Return the error for a relation whose ends are not in the story."""
    foreign = foreign_ids(reader, project_id, missing)
    return RelationInvalid(
        "A relation joins two entities of one story; "
        + ("some of these belong to another." if foreign else "some of these do not exist."),
        details={
            "reason": "foreign_entity" if foreign else "missing_entity",
            "missingEntityIds": [entity_id for entity_id in missing if entity_id not in foreign],
            "foreignEntityIds": foreign,
        },
    )


def refuse_same_relation(reader: Reader, relation: Relation) -> None:
    """Refuse a relation that duplicates another from the same moment on."""
    identity = relation_identity(relation)
    ends = (relation.source_entity_id, relation.target_entity_id)
    for other in reader.relations_between(relation.project_id, *ends, relation.relation_type):
        is_same = other.id != relation.id and relation_identity(other) == identity
        if is_same and not _are_two_roles(relation, other):
            raise same_relation(other)


def _are_two_roles(one: Relation, other: Relation) -> bool:
    """Whether these are two different roles of the same participant in an event."""
    words = {str(relation.properties.get(ROLE) or "") for relation in (one, other)}
    return isinstance(other, Participation) and len(words) == 2 and "" not in words


def same_relation(known: Relation) -> Conflict:
    """Return the error for a relation that already exists."""
    return Conflict(
        f"This '{known.relation_type}' relation exists already.",
        details={"existingId": known.id},
        suggestion="Update the existing relation, or give the new one another `since` or `validFrom`.",
    )


def relation_identity(relation: Relation) -> RelationIdentity:
    """Return what identifies a relation: its ends, its type and its beginning."""
    return (
        relation.source_entity_id,
        relation.target_entity_id,
        relation.relation_type,
        beginning(relation.since, relation.valid_from),
    )


def refuse_backward_period(relation: Relation) -> None:
    """Refuse a relation that ends before it begins."""
    if not Period.is_forward(relation.since, relation.until):
        raise RelationInvalid(
            "The relation would end before it begins.",
            details={"reason": "backward_period"},
            suggestion="Give an `until` that is not before `since`.",
        )
    refuse_backward_world(relation, "The relation")


# Writing


def save(step: Step, before: Relation | None, after: Relation, word: str | None = None) -> Relation:
    """Save a new or changed relation; `word` is its type as requested."""
    if before is not None and is_same(before, after):
        return before
    refuse_backward_period(after)
    refuse_same_relation(step, after)
    words = {} if word is None else {after.relation_type: word}
    save_all(step, [after] if before is None else [], [] if before is None else [(before, after)], words)
    return after


def save_all(
    step: Step,
    created: Sequence[Relation],
    updated: Sequence[tuple[Relation, Relation]],
    words: Mapping[str, str],
) -> None:
    """Save many relations at once that were already checked; `words` are their types as requested."""
    if words:
        register_types(step, words.items())
    step.add(created)
    step.replace([(before, touched(step, after)) for before, after in updated])


def kept(step: Step, relation: Relation) -> Relation:
    """Return the relation after all consequences of the step; a role in an event has the event's version."""
    step.settle()
    newest = step.newest(RELATION, relation.id)
    return newest if isinstance(newest, Relation) else existing_relation(step, step.project_id, relation.id)


def remove(step: Step, relations: Sequence[Relation]) -> None:
    """Remove relations; their entities stay."""
    step.remove(relations)
