"""The texts of a story that are embedded, the rows they depend on, and the part an embedder may see."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import orjson

from fabula.index.passages import passages
from fabula.store.changes import LoggedChange
from fabula.store.kinds import ENTITY, ENTRY, EVENT, EVENT_ROLE, SCENE, STORY
from fabula.store.reader import Reader
from fabula.store.rowkind import RowKind

Owners = Callable[[Reader, str, Sequence[LoggedChange]], Collection[str]]
Texts = Callable[[Reader, str, Collection[str] | None], Iterable[tuple[str, int, str]]]


@dataclass(frozen=True, slots=True)
class TextSource:
    """Texts of one kind of owner.

    `texts` yields (owner id, part, text) for a whole story or for some owners. `follows` lists the kinds of
    rows the texts depend on, and `owners` returns the owners whose texts may be affected by changes to them.
    """

    kind: str
    texts: Texts
    follows: frozenset[RowKind]
    owners: Owners


def rows_of_kind(kind: RowKind, texts: Texts) -> TextSource:
    """Return the source of texts that depend on only one row each, of this kind."""
    return TextSource(
        kind.name, texts, frozenset({kind}), lambda reader, project_id, changes: {c.row_id for c in changes}
    )


def _entity_texts(
    reader: Reader, project_id: str, ids: Collection[str] | None
) -> Iterator[tuple[str, int, str]]:
    return ((key, 0, text) for key, text in reader.vectors.entity_texts(project_id, ids))


def _entry_texts(
    reader: Reader, project_id: str, ids: Collection[str] | None
) -> Iterator[tuple[str, int, str]]:
    return ((key, 0, text) for key, text in reader.vectors.entry_texts(project_id, ids))


def _retold_entities(reader: Reader, project_id: str, changes: Sequence[LoggedChange]) -> set[str]:
    """Return the changed entities, and the events whose text names them or depends on another changed row."""
    changed = {change.row_id for change in changes if change.kind is ENTITY}
    retold = {change.row_id for change in changes if change.kind is EVENT}
    roles = [change for change in changes if change.kind is EVENT_ROLE]
    images = [role.after_json for role in roles if role.after_json is not None]
    gone = [role.row_id for role in roles if role.after_json is None]
    if gone:
        images += [
            before for kind, _, before in reader.log.removals_of(project_id, gone) if kind == EVENT_ROLE.name
        ]
    retold |= {orjson.loads(image)["event_id"] for image in images}
    if any(change.kind is STORY for change in changes):
        retold.update(reader.events.all_ids(project_id))
    return changed | retold | reader.events.event_ids_of(project_id, changed)


def _passage_texts(
    reader: Reader, project_id: str, ids: Collection[str] | None
) -> Iterator[tuple[str, int, str]]:
    for key, text in reader.vectors.scene_texts(project_id, ids):
        for part, (start, end) in enumerate(passages(text)):
            yield key, part, text[start:end]


ENTITIES = TextSource(
    ENTITY.name, _entity_texts, frozenset({ENTITY, EVENT, EVENT_ROLE, STORY}), _retold_entities
)
CUSTOM_ENTRIES = rows_of_kind(ENTRY, _entry_texts)
SCENES = rows_of_kind(SCENE, _passage_texts)
SOURCES = (ENTITIES, CUSTOM_ENTRIES, SCENES)


# Returns the visible part of a text: nothing, or a text of the same length with blanks.
Shown = Callable[[str, str, str], str]


@dataclass(frozen=True, slots=True)
class Discretion:
    """What is withheld from an embedder.

    `name` is stored with the embeddings, so that those of another discretion are not reused. The visible
    part of any text may change with rows of the kinds in `decisive`.
    """

    name: str
    opened: Callable[[Reader, str], AbstractContextManager[Shown]]
    decisive: frozenset[RowKind]


EVERYTHING = Discretion(
    "", lambda reader, project_id: nullcontext(lambda kind, owner, text: text), frozenset()
)
