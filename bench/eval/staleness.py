"""Which facts an edit of a scene makes stale, on rewritten scenes of novels.

Every scene is read with the cast given, its facts are written into a story with their quotations, and the
scene is rewritten: a sentence is replaced by one of another chapter, deleted, inserted or split, or somebody
is renamed. The oracle reads the old and the new text with the same cast. A fact that the oracle finds in the
old text only has changed. `missed` are changed and not marked, `extra` is the share of the marked
ones that have not changed; `words` are the same two by the quotations alone, without reading the scene again.
Scenes with even numbers were looked at while the rules were made, those with odd numbers were not.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.eval.chinese_novels import FOLDER, NOVELS
from bench.eval.table import DATA, Row, no_data, show
from bench.eval.ties import cast_of
from fabula.assembly.prose import sentences
from fabula.canon.evidence import attach
from fabula.canon.step import Step, write
from fabula.extraction.known import KnownNames
from fabula.extraction.local import LocalExtractor
from fabula.extraction.port import KnownEntity
from fabula.extraction.with_cast import SaidOf, WhereSaid, said_with_cast
from fabula.memory import Memory
from fabula.model.evidence import Attested, occurrence_at
from fabula.model.fact import FactKind
from fabula.model.relation import Language
from fabula.model.staleness import WrittenText
from fabula.story_memory import StoryMemory

SCENES = 12
LENGTH = 4_000
_ENGLISH = DATA / "english_novels" / "anna_karenina_chapters"
_CLAUSE = re.compile("[，,；;]")

Mutation = Callable[[str, random.Random, list[str], list[str]], str | None]


def _spot(text: str, dice: random.Random) -> tuple[int, int]:
    return dice.choice([(start, end) for start, end in sentences(text) if text[start:end].strip()])


def _replaced(text: str, dice: random.Random, others: list[str], names: list[str]) -> str:
    start, end = _spot(text, dice)
    return text[:start] + dice.choice(others) + text[end:]


def _deleted(text: str, dice: random.Random, others: list[str], names: list[str]) -> str:
    start, end = _spot(text, dice)
    return text[:start] + text[end:]


def _inserted(text: str, dice: random.Random, others: list[str], names: list[str]) -> str:
    start, _ = _spot(text, dice)
    return text[:start] + dice.choice(others) + text[start:]


def _split(text: str, dice: random.Random, others: list[str], names: list[str]) -> str | None:
    start, end = _spot(text, dice)
    clauses = list(_CLAUSE.finditer(text, start, end))
    if not clauses:
        return None
    place = dice.choice(clauses).start()
    return text[:place] + ("。" if text[place] in "，；" else ".") + text[place + 1 :]


def _renamed(text: str, dice: random.Random, others: list[str], names: list[str]) -> str | None:
    here = [name for name in names if name in text]
    if not here:
        return None
    name = dice.choice(here)
    return text.replace(name, f"{name[0]}某" if name[0] > "\u2e80" else f"{name}ov")


MUTATIONS: dict[str, Mutation] = {
    "replace": _replaced,
    "delete": _deleted,
    "insert": _inserted,
    "split": _split,
    "rename": _renamed,
}


def report(quick: bool) -> list[Row]:
    """Measure and print."""
    if not FOLDER.exists():
        return no_data("staleness", FOLDER)
    rows = [row for book in _books() for row in _measured(*book, count=3 if quick else SCENES)]
    show("Stale facts after rewriting scenes", rows)
    return rows


def _books() -> Iterator[tuple[str, Language, list[Path], list[KnownEntity]]]:
    for novel in NOVELS:
        cast = cast_of(novel)
        people = [KnownEntity(name, "character", tuple(names)) for name, names in cast.items()]
        yield novel.title, "zh", sorted((FOLDER / novel.title).glob("*.txt")), people
    files = sorted(_ENGLISH.glob("*.txt"))
    text = "\n".join(path.read_text() for path in files[:30])
    found = LocalExtractor().extract(text, [], "en")
    people = [
        KnownEntity(one.entity_name, one.entity_type, one.aliases)
        for one in found
        if one.kind == "entity" and one.entity_type == "character"
    ]
    yield "Anna Karenina", "en", files, people


def _measured(
    title: str, language: Language, files: list[Path], people: list[KnownEntity], count: int
) -> Iterator[Row]:
    chosen = files[2 :: max(1, len(files) // (2 * count))][: 2 * count]
    texts = [path.read_text()[:LENGTH] for path in chosen]
    others = [text[a:b] for text in texts for a, b in sentences(text) if 8 < len(text[a:b].strip()) < 200]
    for name, own in (("seen", texts[0::2]), ("unseen", texts[1::2])):
        counts: Counter[str] = Counter()
        for number, text in enumerate(own):
            counts += _of_scene(text, language, people, others, random.Random(f"{title}{name}{number}"))
        marked, by_words = counts["marked"], counts["words marked"]
        yield Row(
            f"{title}, {name}",
            counts["facts"],
            {
                "changed": counts["changed"],
                "missed": counts["missed"],
                "extra": round(counts["extra"] / marked, 3) if marked else 0.0,
                "words missed": counts["words missed"],
                "words extra": round(counts["words extra"] / by_words, 3) if by_words else 0.0,
            },
        )


def _of_scene(
    text: str, language: Language, people: list[KnownEntity], others: list[str], dice: random.Random
) -> Counter[str]:
    here = [one for one in people if any(name in text for name in (one.name, *one.aliases))]
    known = KnownNames(here)
    said = said_with_cast(text, known, language)
    counts: Counter[str] = Counter()
    if not said:
        return counts
    with TemporaryDirectory() as folder, Memory(Path(folder) / "story.db") as memory:
        story = memory.story("Staleness", language=language)
        ids = {
            one.name: story.entity.create(type="character", name=one.name, aliases=one.aliases).id
            for one in here
        }
        scene = story.scene(0, 0, text)
        facts = _written(memory, story, scene.id, said, ids)
        for kind, mutation in MUTATIONS.items():
            names = [one.name for one in here]
            after = mutation(text, dice, others, names)
            if after is None or after == text:
                continue
            story.scene(0, 0, after)
            now = said_with_cast(after, known, language)
            marked = {_key(one.kind, one.id, one.part) for one in story.stale.list().items}
            written = WrittenText(after)
            for fact, where in said.items():
                occurrence = occurrence_at(text, where.quotation, where.start) or 0
                is_changed, is_marked = fact not in now, facts[fact] in marked
                is_gone = not written.has(where.quotation, occurrence)
                counts["facts"] += 1
                counts["changed"] += is_changed
                counts["marked"] += is_marked
                counts["words marked"] += is_gone
                counts["missed"] += is_changed and not is_marked
                counts["extra"] += is_marked and not is_changed
                counts["words missed"] += is_changed and not is_gone
                counts["words extra"] += is_gone and not is_changed
                counts[kind] += is_changed
            story.scene(0, 0, text)
    return counts


def _key(kind: str, fact_id: str, part: str | None) -> tuple[str, str]:
    return str(kind), fact_id


def _written(
    memory: Memory,
    story: StoryMemory,
    scene_id: str,
    said: dict[SaidOf, WhereSaid],
    ids: dict[str, str],
) -> dict[SaidOf, tuple[str, str]]:
    """Write what a scene says into the story, each as a fact of its own with its quotation."""
    facts: dict[SaidOf, tuple[str, str]] = {}

    def prove(kind: FactKind, fact_id: str, where: WhereSaid, attests: Attested | None) -> None:
        def work(step: Step) -> None:
            scene = step.manuscript.scene_of_id(story.id, scene_id)
            assert scene is not None
            attach(step, kind, fact_id, scene, where.quotation, where.start, attests)

        write(memory.call(), story.id, "evidence:attach", work)

    for fact, where in said.items():
        if fact.key == "tie":
            source, target = sorted(ids[name] for name in fact.about)
            made = story.relation.create(
                source_entity_id=source, target_entity_id=target, relation_type=fact.value
            )
            prove(FactKind.RELATION, made.id, where, None)
            facts[fact] = ("relation", made.id)
        else:
            (name,) = fact.about
            own = {"attributes": {fact.key: fact.value}} if fact.key else {"description": fact.value}
            made = story.state.create(entity_id=ids[name], **own)
            attests = Attested(text=own.get("description", ""), attributes=own.get("attributes", {}))
            prove(FactKind.STATE, made.id, where, attests)
            facts[fact] = ("state", made.id)
    return facts
