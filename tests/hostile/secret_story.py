"""Random stories in which everything open speaks of something hidden, in every shape that ever leaked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from fabula.canon.entry_values import LorebookEntryPatch
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.model.book import OWN_BOOK
from fabula.operations.agents.bundles import told_import
from fabula.operations.agents.proposals import told_proposals
from fabula.operations.lorebook.bulk import ImportEntriesRequest, import_entries
from fabula.operations.lorebook.entries import update_entry_of_key
from fabula.operations.manuscript.manuscript import (
    put_chapter,
    put_scene,
    put_snapshot,
)
from fabula.operations.proposals.review import review_extraction
from fabula.operations.proposals.values import ReviewDecision
from fabula.story_memory import StoryMemory

IGNORABLE = "\u200b\u200c\u200d\u200e\u2060\ufeff\u00ad\u180e\u034f"
HIDDEN_NAMES = (
    "Mr Salt",
    "O'Brien",
    'Anne "Red" Grey',
    "Jean-Luc: the Elder",
    "盐先生",
    "龍王",
    "影子",
    "Dr. Brine",
    "The Hollow",
    "Zoë Marsh",
)
# Who turns out to be whom later.
PAIRS = (("Ada Quill", "The Comet"), ("灰衣客", "陶婆婆"), ("Captain O'Dell", "影舞者"))
OPEN_NAMES = ("Jiang Li", "Shen Chao", "Homeward Tower", "林逸", "苏瑶", "Brass Key", "青云宗")
TYPES = ("character", "location", "item", "faction", "concept")
TRADITIONAL = str.maketrans("盐龙", "鹽龍")
LATER = 9
NOW = (4, 0)


class SecretStory:
    """A story whose secrets are marked: `hidden_marks` stand in sentences that name one, and nowhere else.

    `later_marks` are those of somebody who comes in later: for whom asks about the whole story they are open.
    """

    def __init__(self, memory: Memory, seed: int) -> None:
        self.memory, self.random = memory, Random(seed)
        self.language = self.random.choice(("zh", "en"))
        self.story: StoryMemory = memory.story(f"Story {seed}", language=self.language)
        self.hidden_marks: set[str] = set()
        self.later_marks: set[str] = set()
        self.open_marks: set[str] = set()
        self._count = 0
        self.hidden: list[tuple[str, ...]] = []
        self.later: set[str] = set()
        self.open: list[Any] = []
        self.pair: tuple[str, str] | None = None
        self._hide()
        self._keep_apart()
        self._tell()

    @property
    def id(self) -> str:
        return self.story.id

    def _mark(self, marks: set[str]) -> str:
        self._count += 1
        mark = f"{'ok' if marks is self.open_marks else 'zq'}{self._count:04d}"
        marks.add(mark)
        return mark

    # Who is hidden

    def _hide(self) -> None:
        pick = self.random
        for name in pick.sample(HIDDEN_NAMES, pick.randint(1, 4)):
            alias = f"{name} II" if pick.random() < 0.3 else None
            way = pick.choice(("never", "never", "manual_only", "later", "entry"))
            own = (name, *([alias] if alias else []))
            fields: dict[str, Any]
            said = f"{self._mark(self.later_marks if way == 'later' else self.hidden_marks)}."
            if way == "later":
                self.later.update(own)
            if way == "entry":
                self.story.entry(
                    name, said, category="custom", ai_context_level="never", keywords=list(own[1:])
                )
                self.hidden.append(own)
                continue
            fields: dict[str, Any] = {
                "aliases": list(own[1:]),
                "description": said,
                "attributes": {"is": said},
            }
            fields |= {"since": {"chapter": LATER}} if way == "later" else {"ai_context_level": way}
            made = self.story.entity.create(type=pick.choice(TYPES), name=name, **fields)
            if way != "later" and pick.random() < 0.3:
                patch = {"name": f"{name} Anew"}
                self.story.entity.update(id=made.id, expected_version=made.version, patch=patch)
                if pick.random() < 0.5:
                    self.story.history.undo()
                    if pick.random() < 0.5:
                        self.story.history.redo()
            if pick.random() < 0.3:
                word = f"Word{self._count}x"
                patch = LorebookEntryPatch(keywords=(word,))
                update_entry_of_key(
                    self.memory.call(),
                    project_id=self.id,
                    entry_key=self.story.entity.read(id=made.id).name,
                    patch=patch,
                )
                own = (*own, word)
                if way == "later":
                    self.later.add(word)
            self.hidden.append(own)

    def _marked_name(self) -> tuple[str, str]:
        """A mark, and a hidden name for the sentence that it stands in."""
        name = self.random.choice(self.random.choice(self.hidden))
        return self._mark(self.later_marks if name in self.later else self.hidden_marks), self._written(name)

    def _written(self, name: str) -> str:
        """A name as somebody might write it."""
        pick = self.random
        place = pick.randrange(1, len(name))
        shapes: list[Callable[[], str]] = [
            lambda: name,
            lambda: name.upper(),
            lambda: name[:place] + pick.choice(IGNORABLE) + name[place:],
            lambda: name.replace(" ", "\n"),
            lambda: name.replace(" ", "\u00a0"),
            lambda: name.replace(" ", "  "),
            lambda: f"{name}'s",
            lambda: f"“{name}”",
            lambda: name.replace("Mr ", "Mr. ").replace("Dr. ", "Dr "),
            lambda: name.translate(TRADITIONAL),
            lambda: name.replace("'", "\u2019"),
            lambda: f"{name[:place]}\n{name[place:]}" if name[0] > "\u3000" else name,
            lambda: f"{name[:place]} {name[place:]}" if name[0] > "\u3000" else name,
        ]
        return pick.choice(shapes)()

    def _keep_apart(self) -> None:
        """Add two who turn out to be one later, and who speak of each other until then."""
        pick = self.random
        if pick.random() < 0.3:
            return
        names = pick.choice(PAIRS)
        for name, other in (names, names[::-1]):
            said = f"{self.open_sentence()} {self._mark(self.later_marks)} is {self._written(other)}."
            attributes = {"true name": f"{self._mark(self.later_marks)} {other}"}
            made = self.story.entity.create(
                type="character", name=name, description=said, attributes=attributes
            )
            self.open.append(made)
        one, other = self.open
        self.pair = names
        self.story.relation.create(
            source_entity_id=one.id,
            target_entity_id=other.id,
            relation_type=pick.choice(("same_as", "true_identity", "化名", "rival")),
            description=f"{self._mark(self.later_marks)} is one.",
            properties={"note": self._mark(self.later_marks)},
        )
        self.story.reveal.create(entity_ids=[one.id, other.id], at={"chapter": LATER})

    def _joining(self, names: tuple[str, str]) -> str:
        """A sentence that names both of two who are kept apart."""
        one, other = self.random.sample(names, 2)
        mark = self._mark(self.later_marks)
        pattern = self.random.choice(("{a} is {b}, {m}.", "{m}: {a}\nis {b}!", "{a}就是{b}，{m}。"))
        return pattern.format(a=one, b=self._written(other), m=mark)

    def secret(self) -> str:
        """A sentence that must not be told."""
        if self.pair is not None and self.random.random() < 0.4:
            return self._joining(self.pair)
        mark, name = self._marked_name()
        pattern = self.random.choice(
            (
                "{m} fears {n}.",
                "{n}\n{m} the old king.",
                "It owes {n}: 300 {m}.",
                "{n}，{m}。",
                "{m}\t{n}!",
                "({n}) {m}?",
                "{o} had green eyes, {m}, as {n} knew.",
                "{o}的眼睛是绿色的，{m}，{n}也知道。",
                "{o}有两个妹妹，{m}，都怕{n}。",
                "{o} was shot by {n} at 9:30 with 3 {m} guns.",
            )
        )
        return pattern.format(m=mark, n=name, o=self.random.choice(OPEN_NAMES))

    def open_sentence(self) -> str:
        return f"There is {self._mark(self.open_marks)} here."

    def prose(self) -> str:
        pick = self.random
        said = [
            self.secret() if pick.random() < 0.5 else self.open_sentence() for _ in range(pick.randint(1, 4))
        ]
        return pick.choice((" ", "\n\n", " ")).join(said)

    def label(self) -> str:
        """A short text that is told whole or not at all."""
        if self.random.random() < 0.5:
            return " ".join(self._marked_name()).replace("\n", " ")
        return self._mark(self.open_marks)

    def json(self, depth: int = 2) -> Any:
        pick = self.random
        shape = pick.random()
        if depth and shape < 0.3:
            return {self.label(): self.json(depth - 1) for _ in range(2)}
        if depth and shape < 0.6:
            return [self.json(depth - 1) for _ in range(2)]
        return pick.choice((self.prose(), self.secret(), self.open_sentence(), 300, True))

    # What is open and speaks of it

    def _tell(self) -> None:
        pick, call = self.random, self.memory.call
        for name in pick.sample(OPEN_NAMES, pick.randint(2, 4)):
            attributes = {f"key{number}": self.json() for number in range(pick.randint(0, 3))}
            if pick.random() < 0.3:
                attributes[self.label()] = self.json()
            self.open.append(
                self.story.entity.create(
                    type=pick.choice(TYPES), name=name, description=self.prose(), attributes=attributes
                )
            )
        for one in self.open:
            if pick.random() < 0.5:
                attributes = {"now": self.json()}
                self.story.state.create(entity_id=one.id, description=self.prose(), attributes=attributes)
        for _ in range(pick.randint(0, 3)):
            one, other = pick.sample(self.open, 2)
            with suppress(FabulaError):
                self.story.relation.create(
                    source_entity_id=one.id,
                    target_entity_id=other.id,
                    relation_type=self.label() if pick.random() < 0.3 else "knows",
                    description=self.prose(),
                    properties={"relationshipType": self.label(), "note": self.json()},
                )
        for number in range(pick.randint(0, 2)):
            whom = pick.choice(self.hidden)[0]
            part = self._mark(self.later_marks if whom in self.later else self.hidden_marks)
            self.story.event.create(
                name=f"Event {number}",
                summary=self.prose(),
                event=self.label(),
                time_anchor=self.label(),
                causality=self.prose(),
                roles=[
                    {"name": pick.choice(self.open).name, "role": self.label()},
                    {"name": whom, "role": part},
                ],
            )
        self.story.entry("Weather", self.prose(), category="custom", ai_context_level="always")
        self._shelve()
        for scene in range(pick.randint(1, 3)):
            put_scene(
                call(), project_id=self.id, chapter=0, scene=scene, text=self.prose(), title=self.label()
            )
            snapshot = {
                "chapter_index": 0,
                "scene_index": scene,
                "summary": self.prose(),
                "active_characters": [
                    {
                        "name": pick.choice(self.open).name,
                        "current_state": self.label(),
                        "emotional_state": self.label(),
                    }
                ],
                "active_locations": [{"name": pick.choice(self.open).name, "description": self.prose()}],
            }
            put_snapshot(call(), project_id=self.id, **snapshot)
        put_chapter(call(), project_id=self.id, chapter=0, title=self.label())
        self._promise()

    def _promise(self) -> None:
        """Add threads: their notes, their later points, and those that are hidden or planned are secrets."""
        pick = self.random
        told = self.story.ask("manuscript.scene.read", chapter=0, scene=0)
        late = self.story.scene(LATER, 0, f"{self._mark(self.later_marks)} is the answer.")
        for _ in range(pick.randint(1, 4)):
            start = pick.randrange(len(told.text))
            words = told.text[start : start + pick.randint(1, 40)]
            plant = {"scene_id": told.id, "quotation": words, "start": start}
            way = pick.choice(("open", "open", "open", "never", "planned", "late"))
            title = self.label() if way == "open" else self._mark(self.hidden_marks)
            if way == "late":
                self.hidden_marks.discard(title)
                self.later_marks.add(title)
                plant = {"scene_id": late.id, "quotation": late.text}
            thread = self.story.thread.create(
                title=title,
                kind=pick.choice(("mystery", "clue", "debt")),
                note=f"{self._mark(self.hidden_marks)} did it.",
                people=[one.id for one in pick.sample(self.open, pick.randint(0, 2))],
                due=pick.choice((None, {"chapter": 1})),
                plants=[] if way == "planned" else [plant],
                ai_context_level="never" if way == "never" else "when_detected",
            )
            if way == "open":
                self.story.thread.mark(id=thread.id, role="payoffs", scene_id=late.id, quotation=late.text)

    def _shelve(self) -> None:
        """Add lorebooks that are scanned, whose entries speak of secrets, call each other, and are secret."""
        pick = self.random
        for number in range(pick.randint(0, 2)):
            settings = {"budgetPercent": 100, "recursive": pick.random() < 0.8}
            book = self.story.ask(
                "lorebook.book.create",
                name=self.label(),
                activation="sillytavern",
                source=pick.choice(("global", "character")),
                settings=settings,
            )
            for place in range(pick.randint(1, 4)):
                self._book_entry(book.id, f"Lore {number} {place}")

    def _book_entry(self, book_id: str, key: str) -> None:
        pick = self.random
        is_hidden = pick.random() < 0.3
        own = {"constant": pick.random() < 0.3, "key": [pick.choice(self.open).name, "here", "king"]}
        content = pick.choice((self.prose, self._macros))()
        if is_hidden:
            # Its words are secrets of their own, so that nobody else has them.
            own["key"], content = [f"Lore{self._count}y"], f"{self._mark(self.hidden_marks)}. {content}"
        self.story.entry(
            key,
            content,
            book_id=book_id,
            keywords=own["key"],
            ai_context_level="never" if is_hidden else "always" if own["constant"] else "when_detected",
            extensions={"sillytavern": own},
        )

    def _macros(self) -> str:
        """Sentences in which macros spell a secret name."""
        mark, name = self._marked_name()
        place = self.random.randrange(1, len(name))
        spelt = self.random.choice(
            (
                f"{name[:place]}{{{{noop}}}}{name[place:]}",
                f"{name[:place]}{{{{// hush}}}}{name[place:]}",
                f"{name[:place]}{{{{noop}}}}{{{{noop}}}}{name[place:]}",
                "{{reverse:" + name[::-1] + "}}" if ":" not in name else name,
            )
        )
        return f"{self.open_sentence()} {mark} fears {spelt}. {self.open_sentence()}"

    def attack(self) -> None:
        """Let somebody who knows the secret names write longer open ones around them."""
        pick, call = self.random, self.memory.call
        names = [f"fears {name}" for own in self.hidden for name in own]
        names += [f"{name} is" for own in self.hidden for name in own]
        names = pick.sample(names, min(len(names), 4))
        way = pick.choice(("bundle", "lorebook", "book", "proposal", "none"))
        with suppress(FabulaError):
            if way == "bundle":
                items = "".join(
                    f"- type: Character\n  name: {name!r}\n  description: Open.\n" for name in names
                )
                told_import(call(), project_id=self.id, text=items)
            elif way in ("lorebook", "book"):
                book_id = OWN_BOOK
                if way == "book":
                    made = self.story.ask("lorebook.book.create", name="Attack", activation="sillytavern")
                    book_id = made.id
                entries = [
                    {"entryKey": name, "category": "custom", "content": "Open.", "keywords": [name]}
                    for name in names
                ]
                asked = {"project_id": self.id, "entries": entries, "book_id": book_id}
                import_entries(call(), ImportEntriesRequest(**asked, overwrite_existing=True))
            elif way == "proposal":
                proposals = [{"entityName": name, "entityType": "character"} for name in names]
                told_proposals(call(), project_id=self.id, proposals=proposals)
                for waiting in self.story.proposals():
                    review_extraction(
                        call(),
                        project_id=self.id,
                        extraction_id=waiting.id,
                        decision=ReviewDecision(action="approved"),
                    )
