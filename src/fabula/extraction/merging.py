"""Merges the drafts from several chunks of one text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fabula.model.names import name_key
from fabula.model.ontology import relation_type
from fabula.model.proposal import Draft, ProposalKind


def merged(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts without duplicates: names and attributes merged, highest confidence, earliest span.

    An entity whose name is an alias of another of the same type is merged into it.
    """
    listed = list(drafts)
    owners = _owners(listed)
    kept: dict[tuple[Any, ...], Draft] = {}
    for draft in listed:
        draft = _renamed(draft, owners)
        if draft.kind is ProposalKind.RELATION and name_key(draft.entity_name) == name_key(
            str(draft.attributes.get("target", ""))
        ):
            continue
        key = _key(draft)
        kept[key] = _joined(kept[key], draft) if key in kept else draft
    return list(kept.values())


def moved(draft: Draft, offset: int) -> Draft:
    """The draft of a chunk, with offsets into the whole text."""
    if draft.source_start is None or draft.source_end is None:
        return draft
    return draft.model_copy(
        update={"source_start": draft.source_start + offset, "source_end": draft.source_end + offset}
    )


def _owners(drafts: list[Draft]) -> dict[tuple[str, str], str]:
    """For each (type, alias) that is also found as a name, its owner, unless several claim it."""
    entities = [draft for draft in drafts if draft.kind is ProposalKind.ENTITY]
    claims: dict[tuple[str, str], set[str]] = {}
    names = {(draft.entity_type, name_key(draft.entity_name)): draft.entity_name for draft in entities}
    for draft in entities:
        for alias in draft.aliases:
            claims.setdefault((draft.entity_type, name_key(alias)), set()).add(name_key(draft.entity_name))
    return {
        alias: names[alias[0], next(iter(owner))]
        for alias, owner in claims.items()
        if len(owner) == 1 and alias in names and (alias[0], next(iter(owner))) not in claims
    }


def _renamed(draft: Draft, owners: dict[tuple[str, str], str]) -> Draft:
    owner = owners.get((draft.entity_type, name_key(draft.entity_name)))
    changes: dict[str, Any] = {}
    if owner is not None:
        changes["entity_name"] = owner
        if draft.kind is ProposalKind.ENTITY:
            changes["aliases"] = (draft.entity_name, *draft.aliases)
    if draft.kind is ProposalKind.RELATION:
        target = str(draft.attributes.get("target", ""))
        known = {name for (_, alias), name in owners.items() if alias == name_key(target)}
        if len(known) == 1:
            changes["attributes"] = {**draft.attributes, "target": known.pop()}
    return draft.model_copy(update=changes) if changes else draft


def _key(draft: Draft) -> tuple[Any, ...]:
    name = name_key(draft.entity_name)
    if draft.kind is ProposalKind.RELATION:
        target, word = str(draft.attributes.get("target", "")), str(draft.attributes.get("type", ""))
        return draft.kind, name, name_key(target), relation_type(word)
    if draft.kind is ProposalKind.ALIAS:
        return draft.kind, name, name_key(str(draft.attributes.get("aliasOf", "")))
    return draft.kind, name, draft.entity_type


def _joined(one: Draft, other: Draft) -> Draft:
    """Two drafts of the same thing, merged; where they differ, the first wins."""
    own = name_key(one.entity_name)
    aliases = {name_key(alias): alias for alias in reversed((*one.aliases, *other.aliases))}
    aliases.pop(own, None)
    earlier = min(
        one, other, key=lambda draft: float("inf") if draft.source_start is None else draft.source_start
    )
    return one.model_copy(
        update={
            "aliases": tuple(reversed(aliases.values())),
            "attributes": _attributes(one.attributes, other.attributes),
            "source_text": earlier.source_text,
            "source_start": earlier.source_start,
            "source_end": earlier.source_end,
            "confidence": max(one.confidence, other.confidence),
            "same_as": one.same_as or other.same_as,
        }
    )


def _attributes(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    joined = dict(one)
    for key, value in other.items():
        if key not in joined or joined[key] == "":
            joined[key] = value
        elif isinstance(joined[key], list) and isinstance(value, list):
            joined[key] = [*joined[key], *(item for item in value if item not in joined[key])]
    return joined
