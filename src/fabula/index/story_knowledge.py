"""The knowledge of one story, built when a query first needs it, and followed from the log."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fabula.index.adjacency import Adjacency
from fabula.index.chronicle import Chronicle
from fabula.index.knowings import KnowingRows
from fabula.index.knowledge import Knowledge
from fabula.index.roster import Roster
from fabula.index.witnesses import SceneWitnesses
from fabula.matching import Matcher, Term
from fabula.model.fact import FactKind, FactRef
from fabula.store.kinds import ENTITY, EVIDENCE, KNOWING, SNAPSHOT, STORY, THREAD
from fabula.store.knowing_scans import scan_quotations
from fabula.store.reader import Reader
from fabula.store.rowkind import RowKind

# A quotation this short, or a sentence of one, would withhold others that say something else.
SHORTEST_QUOTATION = 4
SHORTEST_SENTENCE = 8
_SENTENCE_END = re.compile(r"[。！？…!?\n]+|\.(?=\s)")
_EDGES = re.compile(r"\A\W+|\W+\Z")


class StoryKnowledge:
    """Keeps the rows that knowledge is derived from; `version` grows when somebody may know more or less."""

    def __init__(self, project_id: str) -> None:
        self.version = 0
        self._project_id = project_id
        self._rows: KnowingRows | None = None
        self._knowledge: Knowledge | None = None
        self._quotations: Matcher | None = None
        self._witnesses = SceneWitnesses(project_id)
        self._stages: tuple[int, dict[int, frozenset[str]]] | None = None

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        built = (self._rows, self._quotations)
        return self._witnesses.weight + sum(part.weight for part in built if part is not None)

    def row_changed(self, kind: RowKind, row_id: str, after: Mapping[str, Any] | None) -> None:
        """Follow a changed row."""
        self.version += 1
        self._knowledge = None
        if self._rows is not None:
            was_private = self._rows.private_count
            self._rows.row_changed(kind, row_id, after)
            if kind in (EVIDENCE, KNOWING, THREAD) or was_private != self._rows.private_count:
                self._quotations = None
        if kind is SNAPSHOT:
            self._stages = None
        if kind in (ENTITY, STORY):
            self._witnesses.forget()

    def rows(self, reader: Reader) -> KnowingRows:
        """The rows that knowledge is derived from."""
        if self._rows is None:
            self._rows = KnowingRows.read(reader, self._project_id)
        return self._rows

    def knowledge(
        self,
        reader: Reader,
        parts: tuple[Roster, Adjacency, Chronicle],
        matchers: tuple[Matcher, ...],
        naming: int,
    ) -> Knowledge:
        """The knowledge of everybody in the story; `matchers` find its names, whole and short.

        `naming` tells editions of its names apart.
        """
        if self._knowledge is None:
            if self._stages is None or self._stages[0] != naming:
                self._stages = (naming, self._on_stage(reader, parts[0], matchers[0]))
            rows = self.rows(reader)
            witnesses = self._witnesses.found(reader, rows.private_facts(), matchers)
            self._knowledge = Knowledge(rows, *parts, self._stages[1], witnesses)
        return self._knowledge

    def quotations(self, reader: Reader) -> Matcher:
        """The matcher for the words of the manuscript that show a private fact; owners are the facts."""
        if self._quotations is None:
            self._quotations = Matcher(self._quoted(reader), loose=True)
        return self._quotations

    def _quoted(self, reader: Reader) -> Iterator[Term]:
        rows = self.rows(reader)
        if rows.private_count:
            for row in scan_quotations(reader, self._project_id):
                fact = FactRef.trusted(kind=FactKind(row["fact_kind"]), id=row["fact_id"])
                if rows.is_private(fact):
                    yield from (Term(words, fact, "name") for words in _wordings(row["quotation"]))

    def _on_stage(self, reader: Reader, roster: Roster, names: Matcher) -> dict[int, frozenset[str]]:
        """Who is on stage in each scene; somebody given by name alone is the entity of that name."""
        stages = {}
        for scene, people in self.rows(reader).stages.items():
            found = (key if key in roster.slot_of else _bearer(names, name) for key, name in people)
            stages[scene] = frozenset(one for one in found if one is not None)
        return stages


def _wordings(quotation: str) -> set[str]:
    """The words of a quotation, as a whole and sentence by sentence, without the signs around them."""
    whole = _EDGES.sub("", quotation)
    parts = (_EDGES.sub("", part) for part in _SENTENCE_END.split(quotation))
    found = {part for part in parts if len(part) >= SHORTEST_SENTENCE}
    return found | {whole} if len(whole) >= SHORTEST_QUOTATION else found


def _bearer(names: Matcher, name: str) -> str | None:
    """The only entity that a name names as a whole."""
    owners = {
        hit.owner
        for hit in names.find_all(name)
        if (hit.start, hit.end) == (0, len(name)) and isinstance(hit.owner, str)
    }
    return owners.pop() if len(owners) == 1 else None
