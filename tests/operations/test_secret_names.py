"""What is hidden stays hidden under every name: old ones, nearly the same ones, and longer ones of others."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.canon.entry_values import LorebookEntryPatch
from fabula.context.name_origins import NameOrigin, name_origins
from fabula.errors import Conflict, Forbidden
from fabula.memory import Memory
from fabula.model.entity import MAX_ALIASES
from fabula.operations.agents.bundles import told_import
from fabula.operations.agents.proposals import told_proposals
from fabula.operations.bundles.bundles import import_data
from fabula.operations.context import assemble_context
from fabula.operations.lorebook.bulk import ImportEntriesRequest, import_entries
from fabula.operations.lorebook.entries import read_entry, update_entry
from fabula.operations.proposals.extraction import extract_entities
from fabula.operations.proposals.review import review_extraction
from fabula.operations.proposals.values import ExtractRequest, ReviewDecision
from fabula.operations.stories import StoryPatch, update_story
from fabula.story_memory import StoryMemory


@pytest.fixture
def story(memory: Memory) -> StoryMemory:
    return memory.story("x", language="en", id="s")


def told(memory: Memory, text: str = "Ann") -> str:
    request = {"chapter": 0, "scene": 0, "text": text, "token_budget": 50_000}
    found = assemble_context(memory.call(), project_id="s", **request)
    return "\n".join(message.content for message in found.messages if message.role != "user")


def hide(story: StoryMemory, name: str, **fields: Any) -> Any:
    return story.entity.create(type="character", name=name, ai_context_level="never", **fields)


def ann(story: StoryMemory, description: str, **fields: Any) -> Any:
    return story.entity.create(type="character", name="Ann", description=description, **fields)


@pytest.mark.parametrize(
    "attributes",
    [
        {"fear": "she owes O'Brien: 300 gold zq"},
        {"fear": "zq\tO'Brien"},
        {"fear": 'zq "O\'Brien"'},
        {"fear": "zq\nO'Brien"},
        {"list": ["zq\u00a0O'Brien"]},
        {"deep": {"er": [{"x": ["zq O'Brien"]}]}},
        {"O'Brien": "zq"},
        {"deep": {"O'Brien": {"of": "zq"}}},
        {"number": ["zq", "O'Brien zq"]},
    ],
)
def test_quoting_opens_no_secret(memory: Memory, story: StoryMemory, attributes: dict[str, Any]) -> None:
    hide(story, "O'Brien")
    ann(story, "She is tall.", attributes={**attributes, "ok": "yes: fine"})
    for said in (told(memory), story.query.relevant(excerpt="Ann").model_dump_json()):
        assert "Brien" not in said
        assert "gold" not in said
        assert "yes: fine" in said


IGNORABLES = "\u200b\u200c\u200d\u200e\u2060\ufeff\u00ad\u180e\u034f"


@pytest.mark.parametrize(
    "written", [*(f"Mr S{one}alt" for one in IGNORABLES), *(f"Mr{one} Salt" for one in IGNORABLES)]
)
def test_characters_that_nobody_sees_hide_no_name(memory: Memory, story: StoryMemory, written: str) -> None:
    hide(story, "Mr Salt")
    ann(story, f"She is tall. {written} zq.")
    assert "zq" not in told(memory)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Mr Salt", "Mr. Salt"),
        ("Mr. Salt", "Mr Salt"),
        ("Mr Salt", "Mr Salt's"),
        ("Mr Salt", "Mr Salts"),
        ("Jones", "Joneses"),
        ("Grey Lady", "Grey Ladies"),
        ("Mr Salt", "MR\u00a0SALT"),
        ("Mr Salt", "Mr\nSalt"),
        ("Jean-Luc", "Jean Luc"),
        ("O'Brien", "O\u2019Brien"),
        ("Zoë", "Zoe"),
        ("盐先生", "盐 先生"),
        ("盐先生", "盐\n先生"),
        ("盐先生", "鹽先生"),
        ("龍王", "龙王"),
        ("龙王", "龍王"),
        ("J. R. Salt", "J R Salt"),
    ],
)
def test_a_name_that_reads_the_same_is_the_same(
    memory: Memory, story: StoryMemory, name: str, written: str
) -> None:
    hide(story, name)
    ann(story, f"She is tall. The zq {written} came.")
    assert told(memory) == "Ann: She is tall."


def test_a_line_break_ends_no_sentence(memory: Memory, story: StoryMemory) -> None:
    hide(story, "Mr Salt")
    ann(story, "She is tall. Mr Salt\nmurdered the old king zq. She is kind.")
    assert told(memory) == "Ann: She is tall. She is kind."


def test_lists_and_lines_of_fields_lose_only_the_line(memory: Memory, story: StoryMemory) -> None:
    hide(story, "Mr Salt")
    ann(story, "Age: 27\nEnemy: Mr Salt zq\nLikes: tea\n\n- brave\n- fears Mr Salt zq\n- kind")
    assert told(memory) == "Ann: Age: 27\nLikes: tea\n\n- brave\n- kind"


# Names of others


BUNDLE = """
- type: Character
  name: fears Mr Salt
  aliases: [Mr Salt took, Mr Salt is]
  description: Open.
"""
WITHHELD = "She fears Mr Salt zq. Mr Salt took zq. Mr Salt is zq."


def by_agent(memory: Memory) -> None:
    told_import(memory.call(), project_id="s", text=BUNDLE)


def by_bundle(memory: Memory) -> None:
    import_data(memory.call(), "s", BUNDLE.encode())


def by_lorebook(memory: Memory) -> None:
    entry = {
        "entryKey": "fears Mr Salt",
        "category": "custom",
        "content": "Open.",
        "keywords": ["Mr Salt took", "Mr Salt is", "fears Mr Salt"],
    }
    assert import_entries(memory.call(), ImportEntriesRequest(project_id="s", entries=[entry])).imported == 1


def by_proposal(memory: Memory) -> None:
    proposal = {
        "entityName": "fears Mr Salt",
        "entityType": "character",
        "aliases": ["Mr Salt took", "Mr Salt is"],
    }
    told_proposals(memory.call(), project_id="s", proposals=[proposal])
    (waiting,) = memory.story("x", id="s").proposals()
    review_extraction(
        memory.call(), project_id="s", extraction_id=waiting.id, decision=ReviewDecision(action="approved")
    )


@pytest.mark.parametrize("write", [by_agent, by_bundle, by_lorebook, by_proposal])
def test_a_longer_name_of_somebody_else_opens_nothing(memory: Memory, story: StoryMemory, write: Any) -> None:
    hide(story, "Mr Salt")
    ann(story, f"She is tall. {WITHHELD}")
    write(memory)
    assert "zq" not in told(memory, "Ann fears Mr Salt")
    assert "Salt" not in told(memory, "Ann fears Mr Salt")


def test_names_of_others_stay_theirs_through_merge_undo_and_redo(memory: Memory, story: StoryMemory) -> None:
    hide(story, "Mr Salt")
    one = ann(story, f"She is tall. {WITHHELD}")
    by_agent(memory)
    (planted,) = (each for each in story.entity.list().items if each.name == "fears Mr Salt")
    story.entity.merge(target_entity_id=one.id, source_entity_ids=[planted.id])
    assert "zq" not in told(memory)
    story.history.undo()
    story.history.redo()
    assert "zq" not in told(memory)


def test_the_authors_own_longer_name_is_told(memory: Memory, story: StoryMemory) -> None:
    story.entity.create(type="item", name="Mr Salt's ship", description="Fast.")
    hide(story, "Mr Salt")
    ann(story, "She owns Mr Salt's ship. Mr Salt zq.")
    assert "She owns Mr Salt's ship." in told(memory)
    assert "zq" not in told(memory)
    assert "Mr Salt's ship: Fast." in told(memory, "Mr Salt's ship")


def test_the_authors_own_entry_about_a_secret_is_told_in_part(memory: Memory, story: StoryMemory) -> None:
    hide(story, "Mr Salt")
    story.entry("Notes", "It rains. Mr Salt zq.", display_name="Notes on Mr Salt", ai_context_level="always")
    assert "It rains." in told(memory)
    assert "zq" not in told(memory)


def test_the_author_may_confirm_a_name_of_others(memory: Memory, story: StoryMemory) -> None:
    hide(story, "Mr Salt")
    ann(story, "She fears Mr Salt zq. Mr Salt is qz.")
    by_agent(memory)
    covers = {"covers": [{"name": "Fears Mr Salt", "hidden": "Mr Salt"}]}
    update_story(memory.call(), project_id="s", patch=StoryPatch(settings=covers))
    assert "She fears Mr Salt zq." in told(memory)
    assert "qz" not in told(memory)
    update_story(memory.call(), project_id="s", patch=StoryPatch(settings={}))
    assert "zq" not in told(memory)


def test_a_name_that_was_read_covers_those_who_come_later(memory: Memory) -> None:
    """林逸 is named in the first chapter, so that 林, who comes in the ninth, does not silence it."""
    story = memory.story("x", language="zh", id="s")
    text = "林逸拔剑。林逸说道：“走。”林逸笑了。林逸道：“好。”"
    extract_entities(memory.call(), "s", ExtractRequest(text=text, extractor="local"))
    (found,) = (one for one in story.proposals() if one.entity_name == "林逸")
    review_extraction(
        memory.call(), project_id="s", extraction_id=found.id, decision=ReviewDecision(action="approved")
    )
    (read,) = (one for one in story.entity.list().items if one.name == "林逸")
    with memory.call().store.read() as reader:
        assert name_origins(reader, "s", read.id) == {"林逸": NameOrigin.MANUSCRIPT}
    story.entity.update(id=read.id, expected_version=read.version, patch={"description": "林逸是剑客。"})
    later = story.entity.create(type="character", name="林", since={"chapter": 9})
    assert "林逸是剑客。" in told(memory, "林逸")
    story.entity.update(id=later.id, expected_version=1, patch={"since": None, "ai_context_level": "never"})
    assert "剑客" not in told(memory, "林逸")


# Old names


def test_a_hidden_name_stays_hidden_when_it_changes(memory: Memory, story: StoryMemory) -> None:
    salt = hide(story, "Mr Salt")
    ann(story, "She is tall. Mr Salt zq.")
    renamed = story.entity.update(
        id=salt.id, expected_version=1, patch={"name": "Mr Brine", "aliases": ["Old Brine"]}
    )
    assert renamed.aliases == ("Old Brine", "Mr Salt")
    assert "zq" not in told(memory)
    without = story.entity.update(
        id=salt.id, expected_version=renamed.version, patch={"aliases": ["Old Brine"]}
    )
    assert without.aliases == ("Old Brine",)
    assert "zq" in told(memory)


def test_taking_a_renaming_back_leaves_the_names_as_they_were(memory: Memory, story: StoryMemory) -> None:
    salt = hide(story, "Mr Salt")
    story.entity.update(id=salt.id, expected_version=1, patch={"name": "Mr Brine"})
    story.history.undo()
    assert (story.entity.read(id=salt.id).name, story.entity.read(id=salt.id).aliases) == ("Mr Salt", ())
    story.history.redo()
    assert story.entity.read(id=salt.id).aliases == ("Mr Salt",)


def test_an_open_name_is_forgotten_with_a_renaming(story: StoryMemory) -> None:
    one = ann(story, "")
    assert story.entity.update(id=one.id, expected_version=1, patch={"name": "Anna"}).aliases == ()


def test_a_hidden_entity_with_too_many_names_is_not_renamed(memory: Memory, story: StoryMemory) -> None:
    aliases = [f"Salt {number}" for number in range(MAX_ALIASES)]
    salt = hide(story, "Mr Salt", aliases=aliases)
    with pytest.raises(Conflict, match="keep its old name"):
        story.entity.update(id=salt.id, expected_version=1, patch={"name": "Mr Brine"})
    assert story.entity.read(id=salt.id).name == "Mr Salt"


def test_the_old_key_of_a_hidden_entry_stays_hidden(memory: Memory, story: StoryMemory) -> None:
    entry = story.entry("Mr Salt", "zq", category="custom", ai_context_level="never")
    ann(story, "She is tall. Mr Salt zq.")
    update_entry(
        memory.call(), project_id="s", entry_id=entry.id, patch=LorebookEntryPatch(entry_key="Brine")
    )
    assert "zq" not in told(memory)
    assert read_entry(memory.call(), project_id="s", entry_id=entry.id).keywords == ("Mr Salt",)


@pytest.mark.parametrize("level", ["always", "when_detected", "manual_only"])
def test_an_import_opens_nothing_that_is_hidden(memory: Memory, story: StoryMemory, level: str) -> None:
    hide(story, "Mr Salt", description="zq")
    ann(story, "She is tall. Mr Salt zq.")
    bundle = f"- type: Character\n  name: Mr Salt\n  aiContextLevel: {level}\n".encode()
    with pytest.raises(Forbidden):
        import_data(memory.call(), "s", bundle)
    entry = {"entryKey": "Mr Salt", "category": "character", "content": "zq", "aiContextLevel": level}
    import_entries(
        memory.call(), ImportEntriesRequest(project_id="s", entries=[entry], overwrite_existing=True)
    )
    assert "zq" not in told(memory, "Ann and Mr Salt")
