"""Reveals: the only way to save, change and remove them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from fabula.canon.scope import existing_entity, refuse_strangers
from fabula.canon.step import Step
from fabula.canon.versions import refuse_stale_version, touched
from fabula.errors import Conflict, InvalidInput, NotFound
from fabula.model.event import EVENT
from fabula.model.reveal import Reveal, RevealFields, RevealPatch
from fabula.store.reader import Reader


def create(step: Step, fields: RevealFields) -> Reveal:
    """Save a new reveal; Conflict if another one joins the same two entities."""
    reveal = Reveal.trusted(
        id=step.new_id(),
        project_id=step.project_id,
        entity_ids=fields.entity_ids,
        at=fields.at,
        known_to=fields.known_to,
        version=1,
        created_at=step.now,
        updated_at=step.now,
    )
    _check(step, reveal)
    step.add([reveal])
    return reveal


def _check(step: Step, reveal: Reveal) -> None:
    """Refuse entities that are not in the story, events, and a second reveal of the same two."""
    entities = [existing_entity(step, step.project_id, key) for key in reveal.entity_ids]
    if any(entity.type == EVENT for entity in entities):
        raise InvalidInput(
            "An event is not somebody who turns out to be another.",
            details={"field": "entityIds"},
            suggestion="Name two entities that are no events.",
        )
    refuse_strangers(step, step.project_id, reveal.known_to or ())
    for other in step.reveals.of_entities(step.project_id, reveal.entity_ids[:1]):
        if set(other.entity_ids) == set(reveal.entity_ids) and other.id != reveal.id:
            raise Conflict(
                "There is a reveal of these two already.",
                details={"existingId": other.id},
                suggestion="Change the existing one.",
            )


def change(step: Step, reveal: Reveal, patch: RevealPatch, expected_version: int | None = None) -> Reveal:
    """Apply a patch to a reveal, such as another moment."""
    refuse_stale_version("The reveal", reveal.version, expected_version, reveal)
    after = reveal.model_copy(update=patch.given())
    if after == reveal:
        return reveal
    _check(step, after)
    after = touched(step, after)
    step.replace([(reveal, after)])
    return after


def remove(step: Step, reveal: Reveal) -> None:
    """Remove a reveal; its two entities are two again."""
    step.remove([reveal])


def existing_reveal(reader: Reader, project_id: str, reveal_id: str) -> Reveal:
    """Return the reveal; NotFound if the story has none with this id."""
    reveal = reader.reveals.reveal(project_id, reveal_id)
    if reveal is None:
        reader.story(project_id)
        raise NotFound(f"There is no reveal '{reveal_id}' in this story.", details={"id": reveal_id})
    return reveal


def refuse_joining(reader: Reader, project_id: str, ids: Collection[str]) -> None:
    """Refuse to make one of entities that a reveal keeps apart; raises Conflict."""
    for reveal in reader.reveals.of_entities(project_id, ids):
        if set(reveal.entity_ids) <= set(ids):
            raise kept_apart(reveal)


def kept_apart(reveal: Reveal) -> Conflict:
    """Return the error for two entities that a reveal keeps apart."""
    return Conflict(
        "The story keeps these two apart until they are revealed to be one.",
        details={"reason": "kept_apart", "revealId": reveal.id, "entityIds": list(reveal.entity_ids)},
        suggestion="Delete the reveal first if they are not to be two any more.",
    )


def redirect(step: Step, heirs: Mapping[str, str]) -> None:
    """Let entities that take the place of others take over their reveals and what they know."""
    _redirect_knowers(step, heirs)
    for reveal in step.reveals.all_of(step.project_id):
        known_to = None if reveal.known_to is None else _turned(reveal.known_to, heirs)
        first, second = (heirs.get(key, key) for key in reveal.entity_ids)
        if (first, second) == reveal.entity_ids and known_to == reveal.known_to:
            continue
        others = step.reveals.of_entities(step.project_id, [first])
        if any({first, second} == set(other.entity_ids) and other.id != reveal.id for other in others):
            step.remove([reveal])
        else:
            after = touched(step, reveal, entity_ids=(first, second), known_to=known_to)
            step.replace([(reveal, after)])


def forget_knowers(step: Step, ids: Collection[str]) -> None:
    """Let people who are gone know no name and no reveal; where nobody is left, nobody knows it."""
    nobody = dict.fromkeys(ids)
    _redirect_knowers(step, nobody)
    for reveal in step.reveals.all_of(step.project_id):
        known_to = None if reveal.known_to is None else _turned(reveal.known_to, nobody)
        if known_to != reveal.known_to:
            step.replace([(reveal, touched(step, reveal, known_to=known_to))])


def _redirect_knowers(step: Step, heirs: Mapping[str, str | None]) -> None:
    """Let heirs know the names that those before them knew."""
    for entity in step.dated.named_for_periods(step.project_id):
        names = tuple(
            one if one.known_to is None else one.model_copy(update={"known_to": _turned(one.known_to, heirs)})
            for one in entity.names
        )
        if names != entity.names and entity.id not in heirs:
            step.replace([(entity, touched(step, entity, names=names))])


def _turned(ids: tuple[str, ...], heirs: Mapping[str, str | None]) -> tuple[str, ...]:
    turned = (heirs.get(key, key) for key in ids)
    return tuple(dict.fromkeys(key for key in turned if key is not None))
