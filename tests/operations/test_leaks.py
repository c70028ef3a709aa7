"""What a model must not hear of is in nothing that is meant for a model, whatever the story says of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.canon.entry_values import LorebookEntryCreate, LorebookEntryPatch
from fabula.memory import Memory
from fabula.operations import context
from fabula.operations.graph import graph_view
from fabula.operations.lorebook import entries as lorebook
from fabula.operations.manuscript import manuscript
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory

SHARED_FILE = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
LEVELS = ["always", "when_detected", "manual_only", "never"]
HERE = (5, 1)

people = st.lists(
    st.fixed_dictionaries(
        {
            "level": st.sampled_from(LEVELS),
            "type": st.sampled_from(["character", "location", "item", "event", "concept", "faction"]),
            "entry": st.sampled_from(["none", "on", "on", "off"]),
            "state": st.booleans(),
            "position": st.sampled_from(["system_prompt", "before_scene", "after_scene"]),
        }
    ),
    min_size=2,
    max_size=6,
)
customs = st.lists(st.tuples(st.sampled_from(LEVELS), st.booleans()), max_size=3)
links = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=9)
casts = st.lists(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=4), max_size=3)


@dataclass
class Told:
    """A story whose every word is of one thing only, and which of its words are whose."""

    memory: Memory
    language: str
    gossips: bool
    story: StoryMemory = field(init=False)
    entities: list[Any] = field(default_factory=list)
    levels: list[str] = field(default_factory=list)
    entry_ids: dict[int, str] = field(default_factory=dict)
    customs: list[tuple[str, str, bool, list[str]]] = field(default_factory=list)
    words: dict[int, list[str]] = field(default_factory=dict)
    contents: dict[int, list[str]] = field(default_factory=dict)
    shared: list[tuple[set[int], str]] = field(default_factory=list)
    bonds: list[set[int]] = field(default_factory=list)
    disabled: set[int] = field(default_factory=set)
    count: int = 0

    def __post_init__(self) -> None:
        self.story = self.memory.story("x", language=self.language, id=str(uuid4()))

    def word(self) -> str:
        """A word that stands nowhere else and inside no other word."""
        self.count += 1
        digits = f"{self.count:03d}"
        if self.language == "zh":
            return "密" + "".join("零甲乙丙丁戊己庚辛壬"[int(digit)] for digit in digits) + "钥"
        return "Zq" + "".join("abcdefghij"[int(digit)] for digit in digits) + "xw"

    def person(self, one: dict[str, Any]) -> None:
        number = len(self.entities)
        name, alias, said, key, value, keyword, title, mood, fact = words = [self.word() for _ in range(9)]
        self.words[number], self.contents[number] = words, [said, key, value, mood, fact]
        description, attributes = f"{said}。", {key: {"of": [value]}}
        if number and self.gossips:
            # What is open may speak of what is not.
            gossip = self.word()
            description += f"{gossip}，{self.words[number - 1][number % 2]}。"
            attributes |= {"rival": {"who": self.words[number - 1][0]}}
            self.shared.append(({number - 1, number}, gossip))
        entity = self.story.entity.create(
            type=one["type"],
            name=name,
            aliases=[alias],
            description=description,
            attributes=attributes,
            ai_context_level=one["level"],
        )
        self.entities.append(entity)
        self.levels.append(one["level"])
        if one["entry"] != "none":
            fields = {"display_name": title, "keywords": [keyword], "insertion_position": one["position"]}
            fields |= {"enabled": one["entry"] == "on", "token_budget": 5000}
            entry = lorebook.update_entry_of_key(
                self.memory.call(),
                project_id=self.story.id,
                entry_key=name,
                patch=LorebookEntryPatch(**fields),
            )
            self.entry_ids[number] = entry.id
            if one["entry"] == "off":
                self.disabled.add(number)
        if one["state"]:
            self.story.state.create(entity_id=entity.id, description=f"{mood}。", attributes={"now": fact})

    def custom(self, level: str, enabled: bool) -> None:
        key, title, keyword, content = words = [self.word() for _ in range(4)]
        gossip = self.word()
        self.shared.append(({0}, gossip))
        request = LorebookEntryCreate(
            entry_key=key,
            display_name=title,
            keywords=(keyword,),
            content=f"{content}。{gossip}，{self.words[0][1]}。",
            ai_context_level=level,
            enabled=enabled,
        )
        entry = lorebook.create_entry(self.memory.call(), project_id=self.story.id, entry=request)
        self.customs.append((entry.id, level, enabled, words))

    def relate(self, one: int, other: int) -> None:
        one, other = one % len(self.entities), other % len(self.entities)
        if one == other or {one, other} in self.bonds:
            return
        self.bonds.append({one, other})
        third = (one + other) % len(self.entities)
        said, kind, more, verb = (self.word() for _ in range(4))
        self.story.relation.create(
            source_entity_id=self.entities[one].id,
            target_entity_id=self.entities[other].id,
            relation_type=verb if len(self.shared) % 2 else "knows",
            description=f"{said} {self.words[third][0]}",
            properties={"relationshipType": f"{kind} {self.words[third][1]}", "note": more},
        )
        self.shared += [({one, other, third}, said), ({one, other, third}, kind)]
        self.shared += [({one, other}, more), ({one, other}, verb)]

    def snapshot(self, scene: int, cast: list[tuple[int, bool]]) -> None:
        sentences, characters, locations = ["风停了。"], [], []
        for number, by_id in cast:
            who = number % len(self.entities)
            other = (who + 1) % len(self.entities)
            entity = self.entities[who]
            act, state, mood, scent = (self.word() for _ in range(4))
            name, alias, *_, keyword, _, _, _ = self.words[who]
            sentences += [f"{act}，{called}。" for called in (name, alias)]
            if who in self.entry_ids:
                sentences.append(f"{act}！{keyword}。")
            # What is said of one may name another.
            state_said = f"{state} {self.words[other][0]}"
            character = {"name": entity.name, "current_state": state_said, "emotional_state": mood}
            if by_id:
                character |= {"character_id": entity.id, "name": f"{entity.name}"}
            characters.append(character)
            locations.append({"name": entity.name, "description": scent})
            self.shared += [({who}, word) for word in (mood, scent)] + [({who, other}, state)]
        manuscript.put_snapshot(
            self.memory.call(),
            project_id=self.story.id,
            chapter_index=4,
            scene_index=scene,
            summary="".join(sentences),
            active_characters=characters,
            active_locations=locations,
        )

    def secrets(self, pinned: set[str], *, for_context: bool = True) -> list[str]:
        """The words a model must not hear, when these are pinned."""
        hidden = {
            number
            for number, level in enumerate(self.levels)
            if level == "never"
            or (
                level == "manual_only"
                and not {self.entities[number].id, self.entry_ids.get(number, "")} & pinned
            )
        }
        words = [word for number in hidden for word in self.words[number]]
        words += [word for ends, word in self.shared if ends & hidden]
        if not for_context:
            return words
        words += [word for number in self.disabled for word in self.contents[number]]
        for entry_id, level, enabled, own in self.customs:
            if level == "never" or not enabled or (level == "manual_only" and entry_id not in pinned):
                words += own
        return words

    def every_name(self) -> str:
        calls = [word for own in self.words.values() for word in (own[0], own[1], own[5])]
        calls += [word for *_, own in self.customs for word in (own[0], own[2])]
        return "，".join(calls) if self.language == "zh" else ", ".join(calls)


def built(
    memory: Memory, language: str, cast: Any, free: Any, bonds: Any, scenes: Any, *, gossips: bool = True
) -> Told:
    told = Told(memory, language, gossips)
    for one in cast:
        told.person(one)
    for level, enabled in free:
        told.custom(level, enabled)
    for one, other in bonds:
        told.relate(one, other)
    for scene, on_stage in enumerate(scenes):
        told.snapshot(scene, on_stage)
    return told


def for_a_model(found: Any) -> str:
    """All of a context that a model may be shown; the scene's own text is the author's."""
    messages = [message.content for message in found.messages if message.role != "user"]
    parts = found.model_dump(exclude={"messages", "trace"}, by_alias=True)
    return f"{messages}{parts}"


def assembled(told: Told, **request: Any) -> Any:
    chapter, scene = HERE
    asked = {"chapter": chapter, "scene": scene, "token_budget": 50_000, **request}
    return context.assemble_context(told.memory.call(), project_id=told.story.id, **asked)


def leaked(secrets: list[str], said: str) -> list[str]:
    return [word for word in secrets if word in said]


@SHARED_FILE
@given(st.sampled_from(["zh", "en"]), people, customs, links, casts, st.data())
def test_no_word_of_a_secret_is_told(
    memory: Memory, language: str, cast: Any, free: Any, bonds: Any, scenes: Any, data: st.DataObject
) -> None:
    gossips = data.draw(st.booleans())
    told = built(memory, language, cast, free, bonds, scenes, gossips=gossips)
    ids = [entity.id for entity in told.entities] + list(told.entry_ids.values())
    ids += [entry_id for entry_id, *_ in told.customs]
    pinned = data.draw(st.lists(st.sampled_from(ids), max_size=5, unique=True))
    budget = data.draw(st.sampled_from([30, 200, 50_000]))
    for text in (told.every_name(), "雨停了。"):
        found = assembled(told, text=text, pinned=tuple(pinned), token_budget=budget)
        assert leaked(told.secrets(set(pinned)), for_a_model(found)) == []
        assert leaked(told.secrets(set()), for_a_model(assembled(told, text=text))) == []
        relevant = told.story.query.relevant(excerpt=text, max_entities=50).model_dump_json()
        assert leaked(told.secrets(set(), for_context=False), relevant) == []
    chapter, scene = HERE
    saved = {"text": told.every_name()}
    manuscript.put_scene(memory.call(), project_id=told.story.id, chapter=chapter, scene=scene, **saved)
    preview = context.preview_context(
        memory.call(), project_id=told.story.id, chapter=chapter, scene=scene, token_budget=50_000
    )
    assert leaked(told.secrets(set()), for_a_model(preview)) == []
    for entity in told.entities:
        around = graph_view.graph_around(
            memory.call(), project_id=told.story.id, entity=entity.name, depth=2, as_of=None
        )
        described = around.natural_language_description
        assert leaked(told.secrets(set(), for_context=False), described) == []
    delete_story(memory.call(), project_id=told.story.id)


@SHARED_FILE
@given(st.sampled_from(["zh", "en"]), people, customs, links, st.integers(0, 5))
def test_no_word_of_a_secret_comes_to_mind(
    memory: Memory, language: str, cast: Any, free: Any, bonds: Any, named: int
) -> None:
    """The text names one person and says what is told of the others, which recalls whoever is open."""
    told = built(memory, language, cast, free, bonds, [])
    number = named % len(told.entities)
    said = [told.words[number][0], *(words[0] for words in told.contents.values())]
    said += [own[3] for *_, own in told.customs]
    text = "，".join(said) + "。"
    found = assembled(told, text=text)
    assert leaked(told.secrets(set()), for_a_model(found)) == []
    recalled = {item.id for item in found.trace if item.kind == "entry" and item.reason == "recalled"}
    for number in told.disabled:
        assert told.entry_ids[number] not in recalled
    delete_story(memory.call(), project_id=told.story.id)


def test_the_text_about_somebody_recalls_those_around(memory: Memory) -> None:
    """So that the law above is about something."""
    base = {"type": "character", "entry": "on", "state": False, "position": "before_scene"}
    told = built(memory, "en", [base | {"level": "when_detected"}] * 2, [], [(0, 1)], [], gossips=False)
    found = assembled(told, text=f"{told.words[0][0]}, {told.contents[1][0]}.")
    assert told.contents[1][0] in for_a_model(found)
    assert told.entry_ids[1] in {item.id for item in found.trace if item.reason == "recalled"}


@SHARED_FILE
@given(people, customs, links, casts)
def test_what_is_no_secret_is_told(memory: Memory, cast: Any, free: Any, bonds: Any, scenes: Any) -> None:
    told = built(memory, "zh", cast, free, bonds, scenes)
    everything = tuple(entity.id for entity in told.entities)
    said = for_a_model(assembled(told, text=told.every_name(), pinned=everything))
    for number, one in enumerate(cast):
        if one["level"] != "never" and number not in told.disabled:
            expected = told.contents[number] if one["state"] else told.contents[number][:3]
            assert [word for word in expected if word not in said] == []
    for _, level, enabled, own in told.customs:
        if enabled and level in ("always", "when_detected"):
            assert own[3] in said
    secret = {number for number, one in enumerate(cast) if one["level"] == "never"}
    heard = {number for number in range(len(cast)) if number not in told.disabled}
    for ends, _ in told.shared:
        # Who is on stage with the scene's own people is told of, as is every bond between them.
        assert ends & secret or not ends <= heard or told.entities[min(ends)].name in said
    delete_story(memory.call(), project_id=told.story.id)


@SHARED_FILE
@given(st.sampled_from(LEVELS[2:]), st.sampled_from(LEVELS[:2]), st.booleans(), links)
def test_a_secret_that_is_merged_into_somebody_stays_secret(
    memory: Memory, secret: str, open_: str, into_secret: bool, bonds: Any
) -> None:
    base = {"type": "character", "entry": "on", "state": True, "position": "before_scene"}
    cast = [base | {"level": open_}, base | {"level": secret}, base | {"level": "when_detected"}]
    scenes = [[(1, True)], [(0, False), (2, True)]]
    told = built(memory, "zh", cast, [], bonds, scenes, gossips=False)
    ends = [told.entities[0].id, told.entities[1].id]
    target, source = reversed(ends) if into_secret else ends
    told.story.entity.merge(target_entity_id=target, source_entity_ids=[source])
    words = [*told.words[1], *(word for whose, word in told.shared if 1 in whose)]
    for text in (told.every_name(), "雨停了。"):
        found = assembled(told, text=text)
        assert leaked([*words, *told.contents[0]], for_a_model(found)) == []
        assert leaked(words, told.story.query.relevant(excerpt=text, max_entities=50).model_dump_json()) == []
    delete_story(memory.call(), project_id=told.story.id)


def scene_after(memory: Memory, story: StoryMemory, summary: str, **more: Any) -> Any:
    request = {"chapter_index": 0, "scene_index": 0, "summary": summary, **more}
    manuscript.put_snapshot(memory.call(), project_id=story.id, **request)
    return context.assemble_context(memory.call(), project_id=story.id, chapter=0, scene=1, text="")


def test_a_secret_that_overlaps_an_open_name_is_still_a_secret(memory: Memory) -> None:
    story = memory.story("x", language="en")
    story.entity.create(type="character", name="King Arthur", description="A king.")
    story.entity.create(
        type="character", name="Arthur Pendragon", description="The heir.", ai_context_level="never"
    )
    found = scene_after(memory, story, "Rain fell. King Arthur Pendragon came. King Arthur left.")
    assert "Pendragon" not in for_a_model(found)
    assert "King Arthur left." in for_a_model(found)


def test_a_word_for_a_relation_that_names_a_secret_is_not_said(memory: Memory) -> None:
    story = memory.story("x", language="zh")
    one, other = (story.entity.create(type="character", name=name) for name in ("林逸", "苏瑶"))
    story.entity.create(type="character", name="影子", ai_context_level="never")
    story.relation.create(source_entity_id=one.id, target_entity_id=other.id, relation_type="同奉影子为主")
    request = {"chapter": 0, "scene": 0, "text": "林逸与苏瑶"}
    assert "影子" not in for_a_model(context.assemble_context(memory.call(), project_id=story.id, **request))
    around = graph_view.graph_around(memory.call(), project_id=story.id, entity="林逸", depth=1, as_of=None)
    assert around.natural_language_description == ""


def test_a_short_secret_inside_an_open_name_does_not_silence_the_name(memory: Memory) -> None:
    story = memory.story("x", language="zh")
    story.entity.create(type="faction", name="青云宗", description="宗门。")
    story.entity.create(type="character", name="青云", description="内鬼。", ai_context_level="never")
    found = scene_after(memory, story, "青云宗大比开幕。青云来了。")
    assert found.recent_snapshots == ("【第1章·场景1】青云宗大比开幕。",)


@pytest.mark.parametrize("level", ["never", "manual_only"])
def test_somebody_without_an_id_who_bears_a_secret_name_is_not_on_stage(memory: Memory, level: str) -> None:
    story = memory.story("x", language="zh")
    story.entity.create(type="character", name="影子", aliases=["老鬼"], ai_context_level=level)
    people = [
        {"name": "老鬼", "current_state": "潜伏"},
        {"name": "路人", "current_state": "看着影子"},
        {"name": "影子的徒弟", "current_state": "守门"},
        {"name": "店家", "current_state": "打盹", "emotional_state": "怕老鬼"},
    ]
    found = scene_after(memory, story, "雨停了。", active_characters=people)
    said = for_a_model(found)
    assert leaked(["影子", "老鬼", "潜伏"], said) == []
    assert "店家" in said


def test_a_pin_does_not_open_a_never_and_opens_a_manual_only(memory: Memory) -> None:
    story = memory.story("x", language="zh")
    made = {
        level: story.entity.create(
            type="character", name=f"人{level}", description="事。", ai_context_level=level
        )
        for level in ("never", "manual_only")
    }
    request = {"chapter": 0, "scene": 0, "text": "", "pinned": tuple(one.id for one in made.values())}
    found = context.assemble_context(memory.call(), project_id=story.id, **request)
    assert [fragment.entry_key for fragment in found.before_scene_entries] == ["人manual_only"]
