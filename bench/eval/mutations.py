"""Novels with one thing changed in a later chapter: does the linter find it, and nothing else?

The memory is what an import without a model makes of the novel. A mutation changes one name, trait, tie or
death in one scene of the last two thirds; its control is the same passage with the right words. `recall` is
the share of the mutations that are found where they are, `precision` that of the findings at mutations among
the findings at mutations and controls, `alarms` how many findings there are per 20,000 characters of other
text. Traits, ties and deaths are planted, because classics state few of them twice. Who has a thing, how old
and where somebody is are reported without an aim: see `mutations_without_aim`. `half 1` was looked at
while the rules were made, `half 2` was not, except for the names of 西游记. How well the rules know the
planted sentences is told apart: see `mutation_shapes`.
"""

from __future__ import annotations

import os
import random
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.eval.mutation_ranks import CHANGED, ONLY_BEFORE_NAMES, RANKED, RANKED_FIRST, RANKS, TITLES
from bench.eval.mutation_shapes import (
    ACTS,
    DEATHS,
    FAMILIARITIES,
    REMEMBERED,
    TIES,
    TIES_FIRST,
    TRAITS,
    TRAITS_FIRST,
    Familiarity,
    Shapes,
)
from bench.eval.mutations_without_aim import without_aim
from bench.eval.table import DATA, Row, no_data, show
from fabula.consistency.linter import Linter
from fabula.context.detection import detect
from fabula.index.story_index import StoryIndex
from fabula.memory import Memory
from fabula.model.manuscript import Scene
from fabula.model.relation import Language
from fabula.operations.manuscript.manuscript import PutSceneRequest, put_scene
from fabula.operations.manuscript.novel_import import KIND, ImportNovelRequest, import_novel
from fabula.store.reader import Reader

NOVELS = (
    ("chinese_novels/红楼梦", "half 1"),
    ("english_novels/anna_karenina_chapters", "half 1"),
    ("chinese_novels/西游记", "half 2"),
    ("english_novels/les_miserables/les_miserables.txt", "half 2"),
)
EACH = 90
KINDS = ("trait", "rank", "title", "name", "dead-acts", "kin")
# What the rule is called that finds a kind of mutation, where it is not called the same.
_RULES = {"rank": "trait", "title": "trait"}
_PER = 20_000

_EYES: dict[Language, tuple[str, ...]] = {
    "en": ("blue", "grey", "brown", "green"), "zh": ("蓝", "灰", "褐", "绿"),
}  # fmt: skip
_HAIR: dict[Language, tuple[str, ...]] = {"en": ("black", "red", "fair"), "zh": ("黑", "红", "金")}
_KIN: dict[Language, tuple[str, ...]] = {
    "en": ("brother", "uncle", "cousin", "nephew", "father", "son"),
    "zh": ("哥哥", "叔叔", "表哥", "侄子", "父亲", "儿子"),
}


class _Case(NamedTuple):
    """A scene with a changed passage, and whether it contradicts the story."""

    kind: str
    scene: Scene
    text: str
    start: int
    end: int
    is_wrong: bool
    shape: Familiarity = "tuned"


def report(quick: bool) -> list[Row]:
    """Measure and print; in a hurry, one novel of each language."""
    if not (DATA / "english_novels").is_dir():
        return no_data("mutations", DATA)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "novels.db") as memory:
        for path, half in NOVELS[: 2 if quick else None]:
            rows += _measured(memory, _imported(memory, DATA / path), f"{Path(path).stem} ({half})")
    show("mutations", rows)
    return rows


def _imported(memory: Memory, path: Path) -> str:
    """Import a novel without a model, and return the story's id."""
    if path.is_file():
        text = path.read_text(encoding="utf-8")
    else:
        chapters = (file.read_text(encoding="utf-8") for file in sorted(path.glob("*.txt")))
        is_chinese = bool(re.search("[\u4e00-\u9fff]", path.name))
        heads = (f"第{number}回" if is_chinese else f"Chapter {number}" for number in range(1, 10_000))
        text = "\n\n".join(f"{head}\n\n{chapter}" for head, chapter in zip(heads, chapters, strict=False))
    call = memory.call()
    story = import_novel(call, ImportNovelRequest(text=text, title=path.stem))
    call.jobs.do(call, KIND, story.story_id, "", "", lambda progress, message: None)
    return story.story_id


def _measured(memory: Memory, story_id: str, title: str) -> list[Row]:
    call = memory.call()
    with call.store.read() as reader:
        story = reader.story(story_id)
        with call.indexes.lease(reader, story_id) as index:
            linter = Linter(reader, index, story.language)
            linter.read_all()
            found = [
                one for one in linter.everything() if (one.found.severity or one.rule.severity) != "info"
            ]
            size = sum(len(scene.text) for scene in linter.scenes)
            alarms = Row(f"{title} untouched", len(linter.scenes), {"alarms": len(found) * _PER / size})
            planted, cases = _planted(reader, index, linter, story.language)
    for scene in planted:
        place = {"chapter": scene.chapter_index, "scene": scene.scene_index}
        put_scene(call, PutSceneRequest(project_id=story_id, text=scene.text, **place))
    with call.store.read() as reader, call.indexes.lease(reader, story_id) as index:
        linter = Linter(reader, index, story.language)
        linter.read_all()
        rows = [_row(linter, title, kind, cases, shape) for kind in KINDS for shape in FAMILIARITIES]
    return [alarms, *(row for row in rows if row.cases), *without_aim(call, story_id, title)]


def _row(linter: Linter, title: str, kind: str, cases: Sequence[_Case], shape: Familiarity) -> Row:
    hits = false = total = 0
    for case in cases:
        if (case.kind, case.shape) != (kind, shape):
            continue
        found = any(
            one.rule.id == _RULES.get(kind, kind)
            and one.found.here is not None
            and (one.found.here.mark_start or 0) < case.end
            and case.start < (one.found.here.mark_end or 0)
            for one in linter.scene(case.scene, text=case.text)
        )
        total += case.is_wrong
        hits += found and case.is_wrong
        false += found and not case.is_wrong
        if os.environ.get("FABULA_EVAL_SHOW") and found != case.is_wrong and shape != "held out":
            print(
                kind,
                "missed" if case.is_wrong else "false",
                case.scene.chapter_index,
                case.text[case.start : case.end],
            )
    figures = {"recall": 100 * hits / max(total, 1), "precision": 100 * hits / max(hits + false, 1)}
    return Row(f"{title} {kind}{'' if shape == 'tuned' else f', {shape}'}", total, figures)


def _planted(
    reader: Reader, index: StoryIndex, linter: Linter, language: Language
) -> tuple[list[Scene], list[_Case]]:
    """Return the early scenes with what is established in them, and the later passages."""
    chance, scenes = random.Random(20), linter.scenes
    early, late = scenes[1 : len(scenes) // 3], scenes[len(scenes) // 3 : -1]
    people = [one for one in index.entities(reader, range(len(index.roster.ids))) if one.type == "character"]
    people = [one for one in people if len(one.name) > 1 and one.since is not None][:80]
    texts = {scene.id: scene.text for scene in scenes}
    cases: list[_Case] = []
    cases += _names(reader, index, late, language, chance)
    for number in range(EACH):
        who = people[number % len(people)].name
        topic, values = ("eyes", _EYES[language]) if number < EACH // 2 else ("hair", _HAIR[language])
        nouns = {"eyes": {"en": "eyes", "zh": "眼睛"}, "hair": {"en": "hair", "zh": "头发"}}[topic]
        right, wrong = chance.sample(values, 2)
        his = "her" if linter.established.sex(people[number % len(people)].id) == "f" else "his"
        count = "双" if topic == "eyes" else "头"
        words = {"who": who, "noun": nouns[language], "his": his, "His": his.capitalize(), "count": count}
        verb = " was" if topic == "hair" else " were"
        said = chance.choice(TRAITS_FIRST[language]).format(value=right, **words).replace(" were", verb)
        _add(texts, chance.choice(early), said)
        shape, later = _wording(TRAITS[language], chance)
        made = [later.format(value=value, **words).replace(" were", verb) for value in (wrong, right)]
        cases += _pair("trait", chance.choice(late), made[0], made[1], chance, shape)
    for number in range(EACH):
        somebody, relative = (people[(number * step + 3) % len(people)] for step in (1, 7))
        who, other = somebody.name, relative.name
        his = "her" if linter.established.sex(somebody.id) == "f" else "his"
        if who == other:
            continue
        right, wrong = chance.sample(_KIN[language], 2)
        first = chance.choice(TIES_FIRST[language])
        _add(texts, chance.choice(early), first.format(who=who, other=other, kin=right))
        shape, later = _wording(TIES[language], chance)
        made = [later.format(who=who, other=other, kin=kin, his=his) for kin in (wrong, right)]
        cases += _pair("kin", chance.choice(late), made[0], made[1], chance, shape)
    cases += _ranks([one.name for one in people], early, late, texts, language)
    cases += _deaths(reader, index, scenes, texts, language, chance)
    changed = [scene for scene in scenes if texts[scene.id] != scene.text]
    return [scene.model_copy(update={"text": texts[scene.id]}) for scene in changed], cases


def _ranks(
    people: Sequence[str],
    early: Sequence[Scene],
    late: Sequence[Scene],
    texts: dict[str, str],
    language: Language,
) -> Iterator[_Case]:
    """Give people a rank or a title, and another one later; half of the controls tell of a change."""
    chance = random.Random(22)
    for number in range(2 * EACH):
        kind = "rank" if number < EACH else "title"
        values = chance.choice((RANKS if kind == "rank" else TITLES)[language])
        right, wrong = chance.sample(values, 2)
        who = people[number % len(people)]
        is_before = right in ONLY_BEFORE_NAMES

        def said(shapes: Sequence[str], value: str, who: str = who, is_before: bool = is_before) -> str:
            fit = [one for one in shapes if "{value}" not in one] if is_before else shapes
            return chance.choice(fit).format(who=who, value=value, Value=value.capitalize())

        _add(texts, chance.choice(early), said(RANKED_FIRST[language], right))
        shape = chance.choice(FAMILIARITIES)
        again = said(CHANGED[language], wrong) if number % 2 and not is_before else ""
        shapes = RANKED[language][shape]
        again = again or said(shapes, right)
        yield from _pair(kind, chance.choice(late), said(shapes, wrong), again, chance, shape)


def _deaths(
    reader: Reader,
    index: StoryIndex,
    scenes: Sequence[Scene],
    texts: dict[str, str],
    language: Language,
    chance: random.Random,
) -> Iterator[_Case]:
    """Let people die in the last scene that names them, and act later."""
    last: dict[int, int] = {}
    for number, scene in enumerate(scenes):
        for slot in detect(reader, index, scene.text).entities:
            last[slot] = number
    gone = [slot for slot, number in last.items() if number < len(scenes) * 0.8]
    people = {
        slot: one
        for slot, one in zip(gone, index.entities(reader, gone), strict=True)
        if one.type == "character"
    }
    chosen = list(people.items())
    chance.shuffle(chosen)
    for slot, entity in chosen[:EACH]:
        shape, dies = _wording(DEATHS[language], chance)
        _add(texts, scenes[last[slot]], dies.format(who=entity.name))
        scene = chance.choice(scenes[last[slot] + 1 :])
        lines = ACTS[language][shape], REMEMBERED[language]
        wrong, right = (chance.choice(own).format(who=entity.name) for own in lines)
        yield from _pair("dead-acts", scene, wrong, right, chance, shape)


def _wording(shapes: Shapes, chance: random.Random) -> tuple[Familiarity, str]:
    """One of the shapes of a sentence, and how well the rules know it."""
    shape = chance.choice(FAMILIARITIES)
    return shape, chance.choice(shapes[shape])


def _add(texts: dict[str, str], scene: Scene, said: str) -> None:
    texts[scene.id] = f"{texts[scene.id]}\n\n{said}"


def _pair(
    kind: str, scene: Scene, wrong: str, right: str, chance: random.Random, shape: Familiarity
) -> Iterator[_Case]:
    """A passage that contradicts the story and its control, as a paragraph of a scene."""
    ends = [found.end() for found in re.finditer(r"\n+", scene.text)] or [len(scene.text)]
    place = chance.choice(ends)
    for said, is_wrong in ((wrong, True), (right, False)):
        text = f"{scene.text[:place]}\n{said}\n{scene.text[place:]}"
        yield _Case(kind, scene, text, place + 1, place + 1 + len(said), is_wrong, shape)


def _names(
    reader: Reader, index: StoryIndex, late: Sequence[Scene], language: Language, chance: random.Random
) -> Iterator[_Case]:
    """One letter or character of one name changed; the control is the same place, unchanged."""
    made = 0
    for scene in chance.sample(list(late), len(late)):
        found = detect(reader, index, scene.text)
        slots = [
            slot
            for slot, one in zip(found.entities, index.entities(reader, found.entities), strict=True)
            if one.type == "character"
        ]
        places = [
            (place.start, place.end)
            for slot in slots
            for place in found.entities[slot]
            if place.kind != "keyword" and _is_long(scene.text[place.start : place.end], language)
        ]
        if not places or made == EACH:
            continue
        made += 1
        start, end = chance.choice(places)
        name = scene.text[start:end]
        changed = _misspelt(name, language, chance)
        text = scene.text[:start] + changed + scene.text[end:]
        yield _Case("name", scene, text, start, start + len(changed), True)
        yield _Case("name", scene, scene.text, start, end, False)


def _is_long(name: str, language: Language) -> bool:
    if language == "zh":
        return len(name) == 3 and not re.search(
            "[老太姑丫嬷奶姥公小夫大娘爷妈哥姐妹弟兄嫂婶姨儿婆先家]", name
        )
    return max(map(len, re.findall(r"[^\W\d_]+", name)), default=0) > 4


def _misspelt(name: str, language: Language, chance: random.Random) -> str:
    if language == "zh":
        place = chance.choice((1, 2))
        return (
            name[:place]
            + chance.choice([one for one in "芝茗昊笙珞霏" if one not in name])
            + name[place + 1 :]
        )
    words = [found.span() for found in re.finditer(r"[^\W\d_]{5,}", name)]
    start, end = chance.choice(words)
    place = chance.randrange(start + 1, end - 1)
    way = chance.randrange(3)
    if way == 0:
        return name[:place] + name[place + 1 :]
    if way == 1 and name[place] != name[place + 1]:
        return name[:place] + name[place + 1] + name[place] + name[place + 2 :]
    return name[:place] + chance.choice([one for one in "aeioust" if one != name[place]]) + name[place + 1 :]
