"""What is told of a novel that was read: ages with their chapter, and not everybody whom somebody knows."""

from __future__ import annotations

import pytest

from fabula.context.candidates.relations import MOST_ACQUAINTANCES
from fabula.memory import Memory
from fabula.model.reason import BELOW_LINE, RELATED
from fabula.story_memory import StoryMemory
from novels import imported

CHINESE = """第一回 雪夜

却说这林秀姑年方五岁，住在城南。林秀姑道：“娘，下雪了。”林秀姑走到门口，林秀姑笑了。

第二回 十年后

林秀姑道：“我要进京。”林秀姑收拾了行李，林秀姑上了马。
"""
ENGLISH = """Chapter I

Miss Clara Venn was nineteen years old. "It snows," said Miss Clara Venn. Miss Clara Venn went to the door.

Chapter II

"I shall go to town," said Miss Clara Venn. Miss Clara Venn packed her bag, and Miss Clara Venn left.
"""


@pytest.mark.parametrize(
    ("text", "language", "name", "told", "alone"),
    [
        (CHINESE, "zh", "林秀姑", "五岁（第一回时）。", "年龄: "),
        (ENGLISH, "en", "Clara Venn", "years old (in Chapter I).", "age: "),
    ],
)
def test_an_age_is_told_with_the_chapter_that_states_it(
    memory: Memory, text: str, language: str, name: str, told: str, alone: str
) -> None:
    read = imported(memory, text, language=language, approve=0.3)
    story = memory.story("", id=read.story_id)
    context = story.context(chapter=1, scene=0, text=f"{name} looked out.")
    prompt = "\n".join(message.content for message in context.messages)
    assert told in prompt
    assert alone not in prompt


@pytest.fixture
def crowd(story: StoryMemory) -> StoryMemory:
    """One who knows twenty people, an enemy among them."""
    hero = story.entity.create(type="character", name="江离")
    for number in range(20):
        other = story.entity.create(type="character", name=f"路人{chr(0x4E00 + number)}")
        story.relation.create(source_entity_id=hero.id, target_entity_id=other.id, relation_type="knows")
    enemy = story.entity.create(type="character", name="盐先生")
    story.relation.create(source_entity_id=hero.id, target_entity_id=enemy.id, relation_type="enemy")
    return story


def told_relations(story: StoryMemory, text: str) -> dict[str, str]:
    context = story.context(chapter=0, scene=0, text=text)
    return {item.label: item.reason for item in context.trace if item.kind == "relation"}


def test_of_many_acquaintances_a_few_are_told_and_the_others_say_why(crowd: StoryMemory) -> None:
    told = told_relations(crowd, "江离走上台阶。")
    known = {label: reason for label, reason in told.items() if "路人" in label}
    assert list(known.values()).count(RELATED.code) == MOST_ACQUAINTANCES
    assert set(known.values()) == {RELATED.code, BELOW_LINE.code}
    assert [reason for label, reason in told.items() if "盐先生" in label] == [RELATED.code]


def test_acquaintances_who_are_in_the_scene_or_have_a_note_are_told(crowd: StoryMemory) -> None:
    last = f"路人{chr(0x4E00 + 19)}"
    people = {one.name: one.id for one in crowd.entity.list(limit=100).items}
    noted = crowd.relation.list(filter={"entityId": people[f"路人{chr(0x4E00 + 18)}"]}).items[0]
    crowd.relation.update(id=noted.id, patch={"description": "欠他一条命"})
    told = told_relations(crowd, f"江离看见{last}。")
    assert [reason for label, reason in told.items() if last in label] == [RELATED.code]
    assert [reason for label, reason in told.items() if chr(0x4E00 + 18) in label] == [RELATED.code]
