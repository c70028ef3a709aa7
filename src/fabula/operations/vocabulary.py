"""The words of a story for an editor that underlines names while somebody types."""

from __future__ import annotations

import orjson

from fabula.call import Call
from fabula.index.images import rules_of
from fabula.model.account import Role
from fabula.model.wire import Value
from fabula.operations.table import StoryRequest, operation
from fabula.store.scans import scan_entries, scan_names


class KnownName(Value):
    """Somebody or something with all words that mean it; case and word limits are those of the keywords."""

    entity_id: str | None
    entry_id: str | None
    type: str
    name: str
    aliases: tuple[str, ...]
    keywords: tuple[str, ...]
    case_sensitive: bool
    whole_word: bool | None


class Vocabulary(Value):
    """Every word that a story knows somebody or something by."""

    items: tuple[KnownName, ...]


@operation("name.list", role=Role.READER)
def list_names(call: Call, request: StoryRequest) -> Vocabulary:
    """All names, aliases and keywords of a story, in the order of the names."""
    project_id = request.project_id
    with call.store.read() as reader:
        reader.story(project_id)
        entities = list(scan_names(reader, project_id))
        entries = list(scan_entries(reader, project_id))
    calls = {entity_id: (entry_id, words, rules) for entry_id, entity_id, _, words, rules, _ in entries}
    items = []
    for entity_id, kind, name, aliases in entities:
        entry_id, words, rules = calls.get(entity_id, (None, "[]", None))
        items.append(_known(entity_id, entry_id, kind, name, orjson.loads(aliases), words, rules))
    items += [
        _known(None, entry_id, "custom", key, [], words, rules)
        for entry_id, entity_id, key, words, rules, _ in entries
        if entity_id is None
    ]
    return Vocabulary(items=tuple(sorted(items, key=lambda item: (item.name, item.entity_id or ""))))


def _known(
    entity_id: str | None,
    entry_id: str | None,
    kind: str,
    name: str,
    aliases: list[str],
    keywords_json: str,
    rules_json: str | None,
) -> KnownName:
    rules = None if rules_json is None else rules_of(rules_json)
    return KnownName.trusted(
        entity_id=entity_id,
        entry_id=entry_id,
        type=kind,
        name=name,
        aliases=tuple(aliases),
        keywords=tuple(orjson.loads(keywords_json)),
        case_sensitive=rules is not None and rules.case_sensitive,
        whole_word=None if rules is None else rules.whole_word,
    )
