"""MEMORY 3.5: what a model is told and what is read from its answers, by the formats that are shown there."""

from __future__ import annotations

import pytest

from fabula.extraction.summary import summary_of
from fabula.extraction.summary_by_model import summary_by_model
from fabula.extraction.summary_prompts import SceneToSum
from fabula.extraction.with_model import ModelExtractor
from fabula.llm.scripted import ScriptedChatModel
from fabula.model.relation import Language
from fabula.tokens import counter

TOKENS = counter("o200k_base")
TEXT = "林逸感到腰间的寒霜剑微微震颤。\n他没有说话。"
# As it is shown: fenced, with nothing but these fields.
ANSWER = """```json
{
  "entities": [
    {
      "entityName": "林逸",
      "entityType": "character",
      "attributes": {
        "gender": "男",
        "role": "主角"
      },
      "sourceText": "林逸感到腰间的寒霜剑微微震颤",
      "confidence": 0.95
    }
  ]
}
```"""
SUMMARY = """林逸握住震颤的剑，没有说话。

---METADATA---
{
  "activeCharacters": ["林逸"],
  "activeLocations": ["药庐"],
  "timelinePosition": "深夜",
  "emotionalTone": "悬疑",
  "keyEvents": ["剑震颤"]
}"""
ATTRIBUTES = {
    "character": "gender age role affiliation abilities currentState",
    "location": "locationType parentLocation features",
    "item": "itemType element abilities currentOwner",
    "event": "eventType participants outcome significance",
    "concept": "conceptType scope rules",
}
BOTH = pytest.mark.parametrize("language", ["zh", "en"])


def asked(language: Language) -> tuple[str, str]:
    """What a model is told before a text, and with it."""
    chat = ScriptedChatModel([ANSWER])
    ModelExtractor(chat, TOKENS).read(TEXT, [], language)
    rules, passage = chat.requests[0].messages
    return rules.content, passage.content


@BOTH
@pytest.mark.scenario("MEMORY-PROMPT-TYPES", "MEMORY-PROMPT-ATTRIBUTES", "ENGRAM-PROMPT-KEYS")
def test_types_and_keys_for_each_are_named_and_others_allowed(language: Language) -> None:
    rules, _ = asked(language)
    for type_, keys in ATTRIBUTES.items():
        assert any(line.startswith(f"{type_} ") for line in rules.splitlines()), type_
        assert keys in rules
    assert {"zh": "键名自定", "en": "keys of your choice"}[language] in rules


@BOTH
@pytest.mark.scenario("MEMORY-PROMPT-FIELDS", "MEMORY-PROMPT-QUOTATION", "ENGRAM-PROMPT-JSON")
def test_the_fields_of_an_answer_are_named_and_only_json_is_asked_for(language: Language) -> None:
    rules, _ = asked(language)
    chat = ScriptedChatModel([ANSWER])
    ModelExtractor(chat, TOKENS).read(TEXT, [], language)
    schema = chat.requests[0].json_schema
    assert schema is not None
    item = schema["properties"]["entities"]["items"]
    for field in ("entityName", "entityType", "attributes", "sourceText", "confidence"):
        assert any(line.startswith(field) for line in rules.splitlines()), field
        assert field in item["required"]
    assert "JSON" in rules
    assert {"zh": "不超过 100 字", "en": "at most 100\n"}[language] in rules


@BOTH
@pytest.mark.scenario("ENGRAM-PROMPT-RELATIONS")
def test_relations_are_asked_for_as_a_list_with_target_and_type(language: Language) -> None:
    chat = ScriptedChatModel([ANSWER])
    ModelExtractor(chat, TOKENS).read(TEXT, [], language)
    schema = chat.requests[0].json_schema
    assert schema is not None
    relations = schema["properties"]["entities"]["items"]["properties"]["relations"]
    assert relations["type"] == "array"
    assert {"target", "type"} <= set(relations["items"]["required"])


@BOTH
@pytest.mark.scenario("MEMORY-PROMPT-EXPLICIT", "MEMORY-PROMPT-FORMAL-NAME", "MEMORY-PROMPT-PRONOUNS")
@pytest.mark.scenario("MEMORY-PROMPT-CONFIDENCE")
def test_the_rules_are_told(language: Language) -> None:
    rules, _ = asked(language)
    told = {
        "zh": ("不推测", "最正式的", "代词不是实体", "不到 0.5 的不要写"),
        "en": (
            "Do not guess",
            "most formal name",
            "Pronouns are not entities",
            "leave out what is below 0.5",
        ),
    }
    assert [words for words in told[language] if words not in rules] == []


@BOTH
@pytest.mark.scenario("MEMORY-PROMPT-TEXT")
def test_the_text_is_told_whole_and_unchanged(language: Language) -> None:
    _, passage = asked(language)
    assert f"\n{TEXT}\n" in passage


@pytest.mark.scenario("MEMORY-PROMPT-ANSWER")
def test_the_answer_that_is_shown_is_read() -> None:
    (draft,) = ModelExtractor(ScriptedChatModel([ANSWER]), TOKENS).read(TEXT, [], "zh").drafts
    assert (draft.entity_name, draft.entity_type, draft.confidence) == ("林逸", "character", 0.95)
    assert draft.attributes == {"gender": "男", "role": "主角"}
    assert (draft.source_text, draft.source_start) == ("林逸感到腰间的寒霜剑微微震颤", 0)


def summed(language: Language) -> tuple[str, str]:
    """What a model is told before a scene, and with it."""
    chat = ScriptedChatModel([SUMMARY])
    summary_by_model(chat, SceneToSum("寒霜", 3, 2, TEXT, "前一晚下了雪。"), language)
    rules, scene = chat.requests[0].messages
    return rules.content, scene.content


@pytest.mark.scenario("MEMORY-SUMMARY-LENGTH", "MEMORY-SUMMARY-CONTENT", "MEMORY-SUMMARY-MANNER")
def test_length_content_and_manner_of_a_summary_are_told() -> None:
    rules, _ = summed("zh")
    length, manner = ("150 到 300 字",), ("第三人称", "不评论", "不分析")
    content = ("谁在场", "在哪里", "转折", "心情的变化", "新揭开的信息和伏笔", "时间走了多远")
    assert [words for words in (*length, *manner, *content) if words not in rules] == []


@BOTH
@pytest.mark.scenario("MEMORY-SUMMARY-GIVEN")
def test_title_place_the_scene_before_and_the_text_are_told(language: Language) -> None:
    _, scene = summed(language)
    place = {"zh": "第 3 章，第 2 场", "en": "chapter 3, scene 2"}[language]
    assert [words for words in ("寒霜", place, "前一晚下了雪。", f"\n{TEXT}\n") if words not in scene] == []


@pytest.mark.scenario("MEMORY-SUMMARY-ANSWER")
def test_the_summary_that_is_shown_is_read_with_its_structured_part() -> None:
    rules, _ = summed("zh")
    fields = ("activeCharacters", "activeLocations", "timelinePosition", "emotionalTone", "keyEvents")
    assert [field for field in ("---METADATA---", *fields) if field not in rules] == []
    read = summary_of(SUMMARY, f"{TEXT}药庐里很静。")
    assert read.summary == "林逸握住震颤的剑，没有说话。"
    assert (read.active_characters, read.active_locations) == (("林逸",), ("药庐",))
    assert (read.timeline_position, read.emotional_tone) == ("深夜", "悬疑")
