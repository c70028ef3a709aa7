"""Screening drafts before they are stored, because an extractor, above all a model, may say anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from fabula.canon.profile_relations import RELATIONS, profile_of
from fabula.errors import InvalidInput
from fabula.model.entity import MAX_ALIASES, aliases_beside
from fabula.model.fiction import FICTION
from fabula.model.names import name_key
from fabula.model.ontology import ENTITY_TYPE_ALIASES, relation_type
from fabula.model.proposal import (
    DAYS_LATER,
    EVENT_TYPE,
    FOR_REVIEW,
    OF_SCENE,
    UNKNOWN_TYPE,
    Draft,
    ProposalKind,
)
from fabula.model.story_ontology import Ontology
from fabula.model.wire import safe_json, safe_text, visible_text
from fabula.model.world_time import MOST_DAYS
from fabula.operations.proposals.values import MAX_NAME, MAX_QUOTATION

MAX_ALIAS = 256
MAX_FACTS = 40
MAX_RELATION_WORD = 64
MAX_RELATION_DESCRIPTION = 4_000


def screened(
    drafts: Iterable[Draft], text: str, max_attributes: int, ontology: Ontology = FICTION
) -> tuple[list[Draft], int]:
    """Return the usable drafts, with profile relations as drafts of their own, and how many are unusable."""
    tried = [_screened(one, text, max_attributes, ontology) for draft in drafts for one in _unfolded(draft)]
    fit = [draft for draft in tried if draft is not None]
    return fit, len(tried) - len(fit)


def _unfolded(draft: Draft) -> Iterator[Draft]:
    """Yield the draft without the relations in its profile, then each relation as a draft."""
    if draft.kind is ProposalKind.RELATION or RELATIONS not in draft.attributes:
        yield draft
        return
    own = {key: value for key, value in draft.attributes.items() if key != RELATIONS}
    yield draft.model_copy(update={"attributes": own})
    said = draft.attributes[RELATIONS]
    if isinstance(said, Mapping):
        said = [{**one, "target": name} for name, one in said.items() if isinstance(one, Mapping)]
    for one in said if isinstance(said, list | tuple) else ():
        if isinstance(one, Mapping):
            changes = {"kind": ProposalKind.RELATION, "attributes": dict(one), "aliases": ()}
            yield draft.model_copy(update=changes)


def _screened(draft: Draft, text: str, max_attributes: int, ontology: Ontology) -> Draft | None:
    """Return the draft within the storage limits and with its quotation located; None if it is unusable."""
    name = _name(draft.entity_name, MAX_NAME)
    kind = _type(draft, ontology)
    if name is None or kind is None:
        return None
    attributes = _attributes_of(draft, name, max_attributes)
    if attributes is None:
        return None
    aliases = (_name(alias, MAX_ALIAS) for alias in draft.aliases)
    quotation, start, end = _place(draft, text)
    return Draft.trusted(
        kind=draft.kind,
        entity_name=name,
        entity_type=kind,
        attributes=attributes,
        aliases=aliases_beside(name, (alias for alias in aliases if alias))[:MAX_ALIASES],
        source_text=quotation,
        source_start=start,
        source_end=end,
        confidence=min(1.0, max(0.0, float(draft.confidence))),
        same_as=_name(draft.same_as, MAX_ALIAS),
        facts=draft.facts[:MAX_FACTS],
    )


def _attributes_of(draft: Draft, name: str, limit: int) -> dict[str, Any] | None:
    """Return the usable attributes; None if a relation or an alias lacks what it requires."""
    given = draft.attributes
    if draft.kind is ProposalKind.RELATION:
        target = _name(given.get("target"), MAX_NAME)
        word = _name(given.get("type"), MAX_RELATION_WORD)
        if target is None or word is None or name_key(target) == name_key(name) or not relation_type(word):
            return None
        description = _text(given.get("description"), MAX_RELATION_DESCRIPTION)
        return {"target": target, "type": word, "description": description}
    if draft.kind is ProposalKind.ALIAS:
        owner = _name(given.get("aliasOf"), MAX_ALIAS)
        if owner is None or name_key(owner) == name_key(name):
            return None
        told = {key: given[key] for key in sorted(FOR_REVIEW & given.keys())}
        return {"aliasOf": owner, **_fitting(told, limit)}
    if draft.kind is ProposalKind.TIME:
        scene, days = _name(given.get(OF_SCENE), MAX_NAME), given.get(DAYS_LATER)
        is_number = isinstance(days, int | float) and not isinstance(days, bool) and abs(days) <= MOST_DAYS
        return {OF_SCENE: scene, DAYS_LATER: days} if scene and is_number else None
    return _fitting(given, limit)


def _fitting(attributes: dict[str, Any], limit: int) -> dict[str, Any]:
    """Return the attributes that can be stored, in order, up to the limit."""
    kept: dict[str, Any] = {}
    for key, value in attributes.items():
        if value in (None, "", [], {}):
            continue
        try:
            safe_json({**kept, key: value})
            profile_of({key: value})
        except (ValueError, InvalidInput):
            continue
        kept[key] = value
        if len(kept) == limit:
            break
    return kept


def _place(draft: Draft, text: str) -> tuple[str, int | None, int | None]:
    """Return the quotation and its span; the extractor's span counts only if the text matches it."""
    quotation = _text(draft.source_text, MAX_QUOTATION)
    start = draft.source_start
    if not quotation.strip():
        return "", None, None
    if start is None or start < 0 or not text.startswith(quotation, start):
        start = text.find(quotation)
    return (quotation, start, start + len(quotation)) if start >= 0 else (quotation, None, None)


def _type(draft: Draft, ontology: Ontology) -> str | None:
    """Return the story's type for a draft; None if it has neither that type nor the unknown type."""
    if draft.kind is ProposalKind.EVENT:
        return EVENT_TYPE if EVENT_TYPE in ontology.node_of_key else None
    with suppress(InvalidInput):
        return ontology.entity_type(draft.entity_type)
    # Extractors say "character" where the ontology may call it "person".
    for word, meant in ENTITY_TYPE_ALIASES.items():
        if meant == draft.entity_type and word in ontology.node_of_key:
            return word
    # For a relation or an alias, the type is only a hint to its owner.
    is_hint = draft.kind is not ProposalKind.ENTITY
    return UNKNOWN_TYPE if is_hint or UNKNOWN_TYPE in ontology.node_of_key else None


def _name(given: Any, longest: int) -> str | None:
    if not isinstance(given, str) or len(given) > 4 * longest:
        return None
    try:
        name = visible_text(given)
    except ValueError:
        return None
    return name if len(name) <= longest else None


def _text(given: Any, longest: int) -> str:
    if not isinstance(given, str):
        return ""
    try:
        return safe_text(given[:longest])
    except ValueError:
        return ""
