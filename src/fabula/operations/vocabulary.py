"""The names of a story for an editor: all of them, completions, or one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple

import orjson
from pydantic import Field

from fabula.call import Call
from fabula.context.edition_cache import recalled_of_names
from fabula.errors import NotFound
from fabula.index.images import rules_of
from fabula.index.lorebook import EntryOwner
from fabula.index.story_index import StoryIndex
from fabula.matching import fold
from fabula.model.account import Role
from fabula.model.activation import ActivationRules
from fabula.model.story_settings import folds_traditional
from fabula.model.wire import Value
from fabula.operations.table import StoryRequest, operation
from fabula.store.reader import Reader
from fabula.store.scans import scan_entries, scan_names

# A separator before every word that folded text never contains.
_END = "\n"
MAX_TYPED = 256


class _Words(NamedTuple):
    """The owner of some words, and the words folded, each on a line of its own."""

    owner: str | EntryOwner
    folded: str


class KnownName(Value):
    """An entity or entry with all its names; case and word boundaries are those of the keywords."""

    entity_id: str | None
    entry_id: str | None
    type: str
    name: str
    aliases: tuple[str, ...]
    keywords: tuple[str, ...]
    case_sensitive: bool
    whole_word: bool | None


class ListNamesResponse(Value):
    """All names of a story."""

    items: tuple[KnownName, ...]


class ListNamesRequest(StoryRequest):
    """All names of a story, or the best `limit` completions of `q`."""

    q: Annotated[str, Field(max_length=MAX_TYPED)] | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 20


@operation("name.list", role=Role.READER)
def list_names(call: Call, request: ListNamesRequest) -> ListNamesResponse:
    """List all names, aliases and keywords, or with `q` the `limit` best completions."""
    project_id = request.project_id
    with call.store.read() as reader:
        reader.story(project_id)
        if request.q is None:
            return ListNamesResponse(items=tuple(_every_name(reader, project_id)))
        wanted = fold(request.q, simplify=_simplifies(reader, project_id)).text
        with call.indexes.lease(reader, project_id) as index:
            words = recalled_of_names(index, "words", lambda: _folded_words(reader, index))
        fitting = [one.owner for one in words if _END + wanted in one.folded]
        if len(fitting) < request.limit:
            known = set(fitting)
            fitting += [one.owner for one in words if wanted in one.folded and one.owner not in known]
        return ListNamesResponse(items=tuple(_known_of(reader, project_id, fitting[: request.limit])))


class ReadNameRequest(StoryRequest):
    """An entity, or a custom entry, by its id."""

    name_id: str


@operation("name.read", role=Role.READER)
def read_name(call: Call, request: ReadNameRequest) -> KnownName:
    """Read the names, aliases and keywords of an entity or a custom entry."""
    project_id, name_id = request.project_id, request.name_id
    with call.store.read() as reader:
        reader.story(project_id)
        known = next(_known_of(reader, project_id, [name_id, EntryOwner(name_id)]), None)
    if known is None:
        raise NotFound(f"Nobody in this story has the id '{name_id}'.", details={"id": name_id})
    return known


def _every_name(reader: Reader, project_id: str) -> list[KnownName]:
    items: list[KnownName] = []
    calls: dict[str, tuple[str, list[str], ActivationRules]] = {}
    aside = {book.id for book in reader.books.all_of(project_id) if book.is_aside}
    for entry_id, entity_id, key, words_json, rules_json, _, book_id, _ in scan_entries(reader, project_id):
        if book_id in aside:
            continue
        words, rules = orjson.loads(words_json), rules_of(rules_json)
        if entity_id is None:
            items.append(_known(None, entry_id, "custom", key, (), words, rules))
        else:
            calls[entity_id] = entry_id, words, rules
    for entity_id, kind, name, aliases in scan_names(reader, project_id):
        entry = calls.get(entity_id, (None, (), None))
        items.append(_known(entity_id, entry[0], kind, name, aliases, *entry[1:]))
    return sorted(items, key=lambda item: (item.name, item.entity_id or ""))


def _folded_words(reader: Reader, index: StoryIndex) -> list[_Words]:
    simplify = _simplifies(reader, index.project_id)
    return [
        _Words(
            known.entity_id or EntryOwner(known.entry_id or ""),
            "".join(
                _END + fold(word, simplify=simplify).text
                for word in (known.name, *known.aliases, *known.keywords)
            ),
        )
        for known in _every_name(reader, index.project_id)
    ]


def _simplifies(reader: Reader, project_id: str) -> bool:
    return folds_traditional(reader.story(project_id).settings)


def _known_of(reader: Reader, project_id: str, owners: list[str | EntryOwner]) -> Iterator[KnownName]:
    """Yield the names of some owners in their order, skipping those that are gone."""
    ids = [owner for owner in owners if not isinstance(owner, EntryOwner)]
    entities, entries = reader.entities(project_id, ids), reader.lore.entries_of(project_id, ids)
    free = reader.lore.entries(project_id, [one.entry_id for one in owners if isinstance(one, EntryOwner)])
    for owner in owners:
        if isinstance(owner, EntryOwner):
            entry = free.get(owner.entry_id)
            if entry is not None and entry.entity_id is None:
                yield _known(None, entry.id, "custom", entry.entry_key, (), entry.keywords, entry.rules)
        elif owner in entities:
            entity, entry = entities[owner], entries.get(owner)
            words, rules = ((), None) if entry is None else (entry.keywords, entry.rules)
            entry_id = None if entry is None else entry.id
            yield _known(entity.id, entry_id, entity.type, entity.name, entity.every_other_name, words, rules)


def _known(
    entity_id: str | None,
    entry_id: str | None,
    kind: str,
    name: str,
    aliases: Iterable[str],
    keywords: Iterable[str],
    rules: ActivationRules | None,
) -> KnownName:
    return KnownName.trusted(
        entity_id=entity_id,
        entry_id=entry_id,
        type=kind,
        name=name,
        aliases=tuple(aliases),
        keywords=tuple(keywords),
        case_sensitive=rules is not None and rules.case_sensitive,
        whole_word=None if rules is None else rules.whole_word,
    )
