"""A story in plain dictionaries: slow, obvious, and what the real one is compared with."""

from __future__ import annotations

import json
import math
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fabula.model.level import AiContextLevel, may_be_told
from fabula.model.names import name_key
from fabula.model.ontology import DEFAULT_RELATION_TYPES, relation_type
from fabula.model.prompt_text import prompt_text
from plain_rows import (
    BLANK,
    UNSAID,
    Key,
    Row,
    Rows,
    begins,
    changed,
    ends,
    finishes,
    identity,
    is_sound,
    same_as,
    taking_up,
    tidy,
    united,
    words_of,
)


def exact(row: object) -> str:
    """A row to the letter: in Python 1 and true are equal, in a story they are not."""
    return json.dumps(row, sort_keys=True, default=str)


class Refused(Exception):
    """What the story refuses, with the codes that are right answers to it."""

    def __init__(self, *codes: str) -> None:
        super().__init__(*codes)
        self.codes = codes


@dataclass
class PlainStep:
    """One step: rows before and after, and whether it was taken back."""

    changes: dict[Key, tuple[Row | None, Row | None]]
    action: str
    reverts: int | None = None
    reverted_by: int | None = None


def with_lost_name(before: Row, after: Row) -> Row:
    """What is hidden keeps the name that it loses as another name."""
    if after["ai_context_level"] not in ("never", "manual_only") or name_key(before["name"]) == name_key(
        after["name"]
    ):
        return after
    return tidy({**after, "aliases": [*after["aliases"], before["name"]]})


class PlainStory:
    """Entities, relations, their words, and a history of its own."""

    def __init__(self, title: str, *, max_entities: int, max_relations: int) -> None:
        self.rows: Rows = {("story", "story"): {"title": title}}
        for word in DEFAULT_RELATION_TYPES:
            self.rows["relation_type", word.key] = {"key": word.key}
        self.steps = [PlainStep({}, "nothing"), PlainStep({}, "begin")]
        self._most = {"entity": max_entities, "relation": max_relations}

    def of(self, kind: str) -> dict[str, Row]:
        """All rows of a kind by id."""
        return {key[1]: row for key, row in self.rows.items() if key[0] == kind}

    @property
    def title(self) -> str:
        """The story's title."""
        return str(self.rows["story", "story"]["title"])

    @property
    def touched(self) -> set[Key]:
        """The rows of the newest step."""
        return set(self.steps[-1].changes)

    # Writing

    def rename(self, title: str) -> None:
        """Give the story another title."""
        self._commit("rename", {("story", "story"): {"title": title}})

    def create_entity(self, entity_id: str, fields: Row) -> None:
        """Add an entity."""
        self._refuse_duplicate(entity_id, fields)
        self._commit("create", {("entity", entity_id): tidy(fields)})

    def update_entity(self, entity_id: str, patch: Row, *, stale: bool) -> None:
        """Change an entity."""
        before = self._existing("entity", entity_id)
        if stale:
            raise Refused("KG_ENTITY_CONFLICT")
        after = tidy({**before, **patch})
        if exact(after) != exact(before):
            self._refuse_duplicate(entity_id, after)
            after = with_lost_name(before, after)
            self._commit("update", {("entity", entity_id): after})

    def delete_entity(self, entity_id: str) -> int:
        """Remove an entity with its relations; how many went."""
        self._existing("entity", entity_id)
        going = [key for key, row in self.of("relation").items() if entity_id in ends(row)]
        self._commit("delete", {**{("relation", key): None for key in going}, ("entity", entity_id): None})
        return len(going)

    def merge(self, target: str, sources: list[str]) -> None:
        """Make one entity of several."""
        if len({target, *sources}) <= len(sources):
            raise Refused("VALIDATION_ERROR")
        after = self._existing("entity", target)
        for source in sources:
            self._existing("entity", source)
        for source in sources:
            after = united(after, self.rows["entity", source])
        changes: dict[Key, Row | None] = {("relation", k): v for k, v in self._redirected(target, sources)}
        changes |= {("entity", source): None for source in sources}
        self._commit("merge", {**changes, ("entity", target): after}, all_of_it=True)

    def create_relation(self, relation_id: str, fields: Row) -> None:
        """Add a relation, and its word if it is new."""
        relation = {**fields, "relation_type": relation_type(fields["relation_type"])}
        source, target = ends(relation)
        living = self.of("entity")
        if source == target or source not in living or target not in living:
            raise Refused("KG_RELATION_INVALID")
        self._refuse_same(relation_id, relation)
        self._commit("relate", {**self._new_words(relation), ("relation", relation_id): relation})

    def update_relation(self, relation_id: str, patch: Row) -> None:
        """Change a relation."""
        before = self._existing("relation", relation_id)
        after = {**before, **patch}
        after["relation_type"] = relation_type(after["relation_type"])
        if exact(after) == exact(before):
            return
        if begins(after["since"]) > finishes(after["until"]):
            raise Refused("KG_RELATION_INVALID")
        self._refuse_same(relation_id, after)
        self._commit("update", {**self._new_words(after), ("relation", relation_id): after})

    def delete_relation(self, relation_id: str) -> None:
        """Remove a relation."""
        self._existing("relation", relation_id)
        self._commit("delete", {("relation", relation_id): None})

    def batch(self, mode: str, entities: list[tuple[str, Row]], relations: list[tuple[str, Row]]) -> None:
        """Create or update many, all or none; relations name their ends."""
        rows, changes = dict(self.rows), dict[Key, Row | None]()
        seen: set[tuple[str, str]] = set()
        for _, fields in entities:
            if identity(fields) in seen or (mode == "create" and self._twin(self.rows, fields)):
                raise Refused("KG_ENTITY_DUPLICATE")
            seen.add(identity(fields))
        for entity_id, fields in entities:
            key = ("entity", self._twin(rows, fields) or entity_id)
            known = rows.get(key)
            given = {name: value for name, value in fields.items() if name not in ("type", "name")}
            rows[key] = changes[key] = tidy({**known, **given} if known else {**BLANK, **fields})
        self._refuse_too_many(rows, "entity")
        same: set[tuple[Any, ...]] = set()
        for relation_id, fields in relations:
            source, target = (self._named(rows, fields[end]) for end in ("source_name", "target_name"))
            relation = {**UNSAID, "source": source, "target": target}
            relation["relation_type"] = relation_type(fields["relation_type"])
            twins = [k for k, r in rows.items() if k[0] == "relation" and same_as(r) == same_as(relation)]
            if source == target:
                raise Refused("KG_RELATION_INVALID")
            if same_as(relation) in same or (twins and mode == "create"):
                raise Refused("CONFLICT")
            same.add(same_as(relation))
            changes |= self._new_words(relation)
            if not twins:
                rows["relation", relation_id] = changes["relation", relation_id] = relation
        self._commit("batch", changes)

    def undo(self, revision: int | None) -> int:
        """Take a step back; its number."""
        if revision is None:
            counting = [
                n for n, s in enumerate(self.steps) if n > 1 and s.reverts is None and s.reverted_by is None
            ]
            if not counting:
                raise Refused("CONFLICT")
            revision = counting[-1]
        if revision < len(self.steps) and self.steps[revision].reverts is not None:
            raise Refused("CONFLICT")
        self._revert(revision, "undo")
        return revision

    def redo(self, revision: int | None) -> int:
        """Bring a step back; its number."""
        if revision is None:
            newest_deed = max(n for n, step in enumerate(self.steps) if step.reverts is None)
            undone = [
                n
                for n, s in enumerate(self.steps)
                if s.action == "undo" and not s.reverted_by and n > newest_deed
            ]
            if not undone:
                raise Refused("CONFLICT")
            by = undone[-1]
        else:
            if revision >= len(self.steps):
                raise Refused("NOT_FOUND")
            step = self.steps[revision]
            if step.reverts is not None or step.reverted_by is None:
                raise Refused("CONFLICT")
            by = step.reverted_by
        restored = self.steps[by].reverts
        assert restored is not None
        self._revert(by, "redo")
        return restored

    def _revert(self, revision: int, action: str) -> None:
        if revision >= len(self.steps):
            raise Refused("NOT_FOUND")
        step = self.steps[revision]
        if revision == 1 or step.reverted_by is not None:
            raise Refused("CONFLICT")
        if any(exact(self.rows.get(key)) != exact(after) for key, (_, after) in step.changes.items()):
            raise Refused("CONFLICT")
        changes = {key: before for key, (before, _) in step.changes.items()}
        rows = changed(self.rows, changes)
        codes = [] if is_sound(rows) else ["CONFLICT"]
        codes += ["KG_CAPACITY_EXCEEDED"] if any(self._too_many(rows, kind) for kind in self._most) else []
        if codes:
            raise Refused(*codes)
        self._commit(action, changes, all_of_it=True)
        self.steps[-1].reverts = revision
        step.reverted_by = len(self.steps) - 1
        if step.reverts is not None:
            self.steps[step.reverts].reverted_by = None

    def _commit(self, action: str, changes: dict[Key, Row | None], *, all_of_it: bool = False) -> None:
        real = {
            key: (self.rows.get(key), after)
            for key, after in changes.items()
            if all_of_it or exact(self.rows.get(key)) != exact(after)
        }
        rows = changed(self.rows, changes)
        for kind in self._most:
            self._refuse_too_many(rows, kind)
        if real:
            self.rows = rows
            self.steps.append(PlainStep(real, action))

    def _refuse_too_many(self, rows: Rows, kind: str) -> None:
        if self._too_many(rows, kind):
            raise Refused("KG_CAPACITY_EXCEEDED")

    def _too_many(self, rows: Rows, kind: str) -> bool:
        count = sum(key[0] == kind for key in rows)
        return count > max(self._most[kind], len(self.of(kind)))

    def _existing(self, kind: str, row_id: str) -> Row:
        if (kind, row_id) not in self.rows:
            raise Refused("NOT_FOUND")
        return self.rows[kind, row_id]

    def _twin(self, rows: Rows, fields: Row) -> str | None:
        same = [k for k, row in rows.items() if k[0] == "entity" and identity(row) == identity(fields)]
        return same[0][1] if same else None

    def _named(self, rows: Rows, name: str) -> str:
        named = [k[1] for k, r in rows.items() if k[0] == "entity" and name_key(r["name"]) == name_key(name)]
        if len(named) != 1:
            raise Refused("KG_RELATION_INVALID")
        return named[0]

    def _refuse_duplicate(self, entity_id: str, fields: Row) -> None:
        if self._twin(self.rows, fields) not in (None, entity_id):
            raise Refused("KG_ENTITY_DUPLICATE")

    def _refuse_same(self, relation_id: str, relation: Row) -> None:
        if any(k != relation_id and same_as(r) == same_as(relation) for k, r in self.of("relation").items()):
            raise Refused("CONFLICT")

    def _new_words(self, relation: Row) -> dict[Key, Row | None]:
        word = relation["relation_type"]
        return {} if ("relation_type", word) in self.rows else {("relation_type", word): {"key": word}}

    def _redirected(self, target: str, sources: list[str]) -> Iterable[tuple[str, Row | None]]:
        kept: dict[tuple[Any, ...], tuple[str, Row]] = {}
        touched = []
        for key, row in sorted(self.of("relation").items()):
            if set(ends(row)) & set(sources):
                touched.append((key, row))
            else:
                kept[same_as(row)] = (key, row)
        for key, row in touched:
            source, other = (target if end in sources else end for end in ends(row))
            turned = {**row, "source": source, "target": other}
            if source == other:
                yield key, None
            elif same_as(turned) in kept:
                first, known = kept[same_as(turned)]
                kept[same_as(turned)] = (first, taking_up(known, turned))
                yield key, None
            else:
                kept[same_as(turned)] = (key, turned)
        yield from ((key, row) for key, row in kept.values() if row != self.rows["relation", key])

    # Asking

    def around(self, center: str, hops: int) -> tuple[set[str], set[str]]:
        """Everybody within some hops, and the relations among them."""
        inside = {
            node for node, distance in self._distances(center, directed=False).items() if distance <= hops
        }
        return inside, {key for key, row in self.of("relation").items() if set(ends(row)) <= inside}

    def distance(self, source: str, target: str, *, directed: bool) -> int | None:
        """How many relations lie between two entities."""
        return self._distances(source, directed=directed).get(target)

    def relevant(self, names: list[str], text: str) -> dict[str, float]:
        """Whom a text is about that says these names, each alone, and these words."""
        entities = self.of("entity")
        told = {
            key: set(words_of(prompt_text(r["description"], r["attributes"]))) for key, r in entities.items()
        }
        spread = Counter(word for own in told.values() for word in own)
        said = {name_key(name) for name in names}
        spoken = set(words_of(text))
        scores = {}
        for key, row in entities.items():
            rarity = [
                math.log1p(len(entities) / spread[w]) / math.log1p(len(entities)) for w in told[key] & spoken
            ]
            named = any(name_key(name) in said for name in (row["name"], *row["aliases"]))
            if (named or rarity) and may_be_told(AiContextLevel(row["ai_context_level"]), named=False):
                scores[key] = 100 * named + min(96, 8 * math.fsum(rarity))
        return scores

    def _distances(self, start: str, *, directed: bool) -> dict[str, int]:
        found, queue = {start: 0}, deque([start])
        while queue:
            node = queue.popleft()
            for row in self.of("relation").values():
                source, target = ends(row)
                for here, there in [(source, target)] if directed else [(source, target), (target, source)]:
                    if here == node and there not in found:
                        found[there] = found[node] + 1
                        queue.append(there)
        return found
