"""What is proposed and what is not, and what an approval writes."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.errors import Conflict, FabulaError, InvalidInput, LoreKeyDuplicate
from fabula.memory import Memory
from fabula.model.moment import Moment
from fabula.model.proposal import Draft
from fabula.operations.proposals.review import review_extractions
from fabula.operations.proposals.screening import screened
from fabula.story_memory import StoryMemory

TEXT = "林逸感到腰间的寒霜剑微微震颤。"


def entity(name: str, kind: str = "character", **more: Any) -> dict[str, Any]:
    return {"entity_name": name, "entity_type": kind, "confidence": 0.8, **more}


def alias(name: str, of: str) -> dict[str, Any]:
    return {"kind": "alias", "entity_name": name, "attributes": {"aliasOf": of}}


def relation(source: str, target: str, word: str = "knows", **more: Any) -> dict[str, Any]:
    return {
        "kind": "relation",
        "entity_name": source,
        "attributes": {"target": target, "type": word, **more},
    }


def approve_all(story: StoryMemory) -> None:
    order = ["entity", "alias", "relation", "event"]
    for one in sorted(story.proposals(), key=lambda one: order.index(one.kind)):
        story.review(one.id, "approved")


def skipped(answer: Any) -> dict[str, int]:
    return {name: count for name, count in answer.skipped.model_dump().items() if count}


# What is proposed


def test_of_somebody_known_only_what_is_new_is_proposed(story: StoryMemory) -> None:
    known = story.entity.create(type="character", name="林逸", aliases=["小逸"], attributes={"年": 25})
    assert skipped(story.propose(entity("林逸"), entity("ＬＩＮ", same_as="林逸"))) == {"known": 1}
    assert skipped(story.propose(entity("小逸", attributes={"年": 26}))) == {"known": 1}
    (found,) = story.propose(
        entity("小逸", attributes={"年": 26, "剑": "寒霜"}, aliases=["逸儿"])
    ).extractions
    assert (found.entity_name, found.same_as, found.suggestion) == ("林逸", "林逸", "update")
    assert (found.attributes, found.aliases) == ({"剑": "寒霜"}, ("逸儿",))
    approve_all(story)
    now = story.entity.read(id=known.id)
    assert now.attributes == {"年": 25, "剑": "寒霜"}
    assert now.aliases == ("小逸", "逸儿", "ＬＩＮ")


def test_a_find_that_is_somebody_known_is_an_alias_of_them(story: StoryMemory) -> None:
    known = story.entity.create(type="character", name="Elizabeth Bennet")
    (found,) = story.propose(entity("Lizzy", same_as="Elizabeth Bennet")).extractions
    assert (found.suggestion, found.entity_name, found.same_as) == ("alias", "Lizzy", "Elizabeth Bennet")
    story.review(found.id, "rejected")
    again = story.propose(entity("Lizzy", same_as="Elizabeth Bennet"), alias("lizzy", "elizabeth bennet"))
    assert skipped(again) == {"rejected": 2}
    assert story.entity.read(id=known.id).aliases == ()


def test_a_namesake_of_another_type_is_known(story: StoryMemory) -> None:
    story.entity.create(type="faction", name="青云宗")
    story.entry("剑道九境", "九个境界。")
    assert skipped(story.propose(entity("青云宗", "location"), entity("剑道九境", "concept"))) == {"known": 2}


def test_what_waits_grows_by_what_a_later_text_says(story: StoryMemory) -> None:
    story.propose(entity("林逸", attributes={"年": 25}, confidence=0.6), chapter=4)
    answer = story.propose(
        entity("林逸", attributes={"年": 26, "剑": "寒霜"}, aliases=["小逸"], confidence=0.9),
        chapter=2,
        scene=1,
    )
    assert (answer.extractions, skipped(answer)) == ((), {"pending": 1})
    (one,) = story.proposals()
    assert (one.attributes, one.aliases, one.confidence) == ({"年": 25, "剑": "寒霜"}, ("小逸",), 0.9)
    assert (one.chapter, one.scene, one.version) == (2, 1, 2)
    story.history.undo()
    assert story.proposals()[0].attributes == {"年": 25}


def test_a_rejected_newcomer_stays_away_with_everything_about_them(story: StoryMemory) -> None:
    story.entity.create(type="character", name="林逸")
    (found,) = story.propose(entity("铁匠", attributes={"年": 60})).extractions
    story.review(found.id, "rejected")
    again = story.propose(
        entity("铁匠", attributes={"年": 61}),
        relation("铁匠", "林逸"),
        relation("林逸", "铁匠"),
        alias("老铁", "铁匠"),
    )
    assert (again.extractions, skipped(again)) == ((), {"rejected": 4})
    story.entity.create(type="character", name="铁匠")
    later = story.propose(entity("铁匠", attributes={"年": 60, "腿": "跛"}))
    assert [one.attributes for one in later.extractions] == [{"腿": "跛"}]


def test_a_relation_is_known_by_any_name_and_word_for_it(story: StoryMemory) -> None:
    lin = story.entity.create(type="character", name="林逸", aliases=["小逸"])
    sword = story.entity.create(type="item", name="寒霜剑")
    story.relation.create(source_entity_id=lin.id, target_entity_id=sword.id, relation_type="owns")
    answer = story.propose(relation("小逸", "寒霜剑", "POSSESSES"), relation("林逸", "寒霜剑", "拥有"))
    assert skipped(answer) == {"known": 2}
    assert story.propose(relation("寒霜剑", "林逸", "owns")).total_extracted == 1


def test_relations_in_a_profile_are_proposals_of_their_own(story: StoryMemory) -> None:
    said = {"年": 25, "relations": {"玄天": {"type": "mentors"}, "寒霜剑": {"type": "owns"}, "空": None}}
    answer = story.propose(entity("林逸", attributes=said))
    assert [(one.kind, one.attributes.get("target")) for one in answer.extractions] == [
        ("entity", None),
        ("relation", "玄天"),
        ("relation", "寒霜剑"),
    ]
    assert answer.extractions[0].attributes == {"年": 25}


# What an approval writes


def test_a_text_of_a_chapter_says_nothing_about_earlier_ones(memory: Memory, story: StoryMemory) -> None:
    known = story.entity.create(type="character", name="林逸", description="弟子。")
    story.propose(
        entity("林逸", attributes={"境界": "金丹"}),
        entity("玄天", source_text="玄天飞升"),
        relation("玄天", "林逸", "mentors"),
        text="玄天飞升。",
        chapter=12,
    )
    approve_all(story)
    assert story.entity.read(id=known.id).attributes == {}
    (state,) = story.state.list(entity_id=known.id).items
    assert (state.attributes, state.since) == ({"境界": "金丹"}, Moment(chapter=12))
    early, later = (
        "\n".join(message.content for message in story.context(chapter, 0, "林逸见玄天。").messages[:-1])
        for chapter in (5, 12)
    )
    assert [word in early for word in ("弟子", "金丹", "飞升", "玄天")] == [True, False, False, False]
    assert [word in later for word in ("弟子", "金丹", "飞升", "玄天")] == [True, True, True, True]
    again = story.propose(entity("林逸", attributes={"境界": "元婴"}), chapter=13)
    assert skipped(again) == {"known": 1}


def test_a_relation_waits_for_a_target_that_is_not_there_yet(story: StoryMemory) -> None:
    story.propose(entity("林逸"), relation("林逸", "玄天", "mentors"))
    approve_all(story)
    assert story.relation.list().items == ()
    assert skipped(story.propose(relation("林逸", "玄天", "mentors"))) == {"known": 1}
    story.propose(entity("玄天"))
    (found,) = story.proposals()
    done = story.review(found.id, "approved")
    assert ("relation", "add", "mentors") in [(row.kind, row.operation, row.name) for row in done.written]
    (bound,) = story.relation.list().items
    assert bound.relation_type == "mentors"


def test_an_approval_without_an_entry_writes_the_entity_alone(story: StoryMemory) -> None:
    story.propose(entity("林逸"))
    (found,) = story.proposals()
    done = story.review(found.id, "approved", create_lorebook_entry=False)
    assert (done.linked_lorebook_id, done.graph_node_synced) == (None, True)
    assert [row.kind for row in done.written] == ["entity"]


def test_overrides_are_the_reviewers_own_word(story: StoryMemory) -> None:
    story.propose(entity("林逸", attributes={"年": 25}))
    (found,) = story.proposals()
    said = {
        "entryKey": "林轶",
        "content": "主角。",
        "category": "concept",
        "keywordsJson": ["轶"],
        "priority": 7,
    }
    done = story.review(found.id, "approved", lorebook_overrides=said)
    now = story.entity.read(id=done.linked_entity_id)
    assert (now.name, now.description, now.type, now.attributes) == ("林轶", "主角。", "concept", {"年": 25})


@pytest.mark.parametrize(
    ("proposal", "refusal"),
    [
        (alias("玄天", "林逸"), Conflict),
        (alias("老铁", "铁匠"), Conflict),
        (relation("铁匠", "林逸"), Conflict),
        (relation("林逸", "双生"), Conflict),
        (entity("青云谱", "concept"), LoreKeyDuplicate),
    ],
)
def test_what_cannot_be_written_is_refused_and_waits(
    story: StoryMemory, proposal: dict[str, Any], refusal: type[FabulaError]
) -> None:
    for name in ("林逸", "玄天"):
        story.entity.create(type="character", name=name)
    for kind in ("item", "concept"):
        story.entity.create(type=kind, name="双生")
    story.propose(proposal)
    story.entry("青云谱", "家谱。")
    (found,) = story.proposals()
    before = story.history.list().total_count
    with pytest.raises(refusal):
        story.review(found.id, "approved")
    assert [one.id for one in story.proposals()] == [found.id]
    assert story.history.list().total_count == before


def test_what_is_approved_later_than_the_author_wrote_it_is_added_to_theirs(story: StoryMemory) -> None:
    story.propose(entity("林逸", attributes={"年": 25, "剑": "寒霜"}))
    known = story.entry("林逸", "作者的话。", category="character", attributes={"年": 17}, priority=3)
    (found,) = story.proposals()
    done = story.review(found.id, "approved")
    assert (done.linked_entity_id, done.linked_lorebook_id) == (known.entity_id, known.id)
    now = story.entity.read(id=known.entity_id)
    assert (now.description, now.attributes) == ("作者的话。", {"年": 17, "剑": "寒霜"})


def test_a_review_of_an_older_version_is_refused(story: StoryMemory) -> None:
    story.propose(entity("林逸"))
    (found,) = story.proposals()
    story.propose(entity("林逸", attributes={"年": 25}))
    with pytest.raises(Conflict) as refused:
        story.review(found.id, "approved", expected_version=found.version)
    assert refused.value.details is not None
    assert refused.value.details["latestVersion"] == 2
    story.review(found.id, "approved", expected_version=2)


def test_an_entity_full_of_attributes_takes_no_more(memory: Memory, story: StoryMemory) -> None:
    full = {f"k{number}": number for number in range(200)}
    known = story.entity.create(type="character", name="林逸", attributes=full)
    story.propose(entity("林逸", attributes={"more": 1}))
    (found,) = story.proposals()
    with pytest.raises(FabulaError) as refused:
        story.review(found.id, "approved")
    assert refused.value.code == "KG_ATTRIBUTE_KEYS_EXCEEDED"
    assert story.entity.read(id=known.id).attributes == full


def test_merging_into_a_custom_entry_is_refused(story: StoryMemory) -> None:
    entry = story.entry("文风", "短句。")
    story.propose(entity("林逸"))
    (found,) = story.proposals()
    with pytest.raises(InvalidInput):
        story.review(found.id, "merged", merge_target_lorebook_id=entry.id)


def test_in_a_batch_what_fails_leaves_nothing_behind_and_the_rest_is_written(
    memory: Memory, story: StoryMemory
) -> None:
    story.propose(
        relation("林逸", "玄天", "mentors"),
        relation("青云谱", "林逸"),
        alias("小逸", "林逸"),
        entity("青云谱", "concept", confidence=0.1),
        entity("玄天"),
        entity("林逸"),
    )
    story.entry("青云谱", "家谱。")
    ids = tuple(one.id for one in reversed(story.proposals()))
    done = review_extractions(memory.call(), project_id=story.id, decision={"action": "approved", "ids": ids})
    assert (done.counts.approved, [error.code for error in done.errors]) == (
        4,
        ["LORE_KEY_DUPLICATE", "CONFLICT"],
    )
    assert {one.name: one.aliases for one in story.entity.list().items} == {"林逸": ("小逸",), "玄天": ()}
    assert [one.relation_type for one in story.relation.list().items] == ["mentors"]
    assert [(one.kind, one.entity_name) for one in story.proposals()] == [
        ("relation", "青云谱"),
        ("entity", "青云谱"),
    ]
    assert memory.audit()[0].differing == ()


EVENT = {
    "summary": "林逸与玄天在青云宗比剑。",
    "time_anchor": "当夜",
    "role": ["林逸", {"name": "玄天", "role": "师父"}, 7],
    "location": "青云宗",
    "event": "比剑",
    "logic": "因怨",
    "causality": "旧怨",
    "天气": "雨",
}


def test_an_event_has_its_people_those_too_who_come_later(story: StoryMemory) -> None:
    lin = story.entity.create(type="character", name="林逸")
    story.propose({"kind": "event", "entity_name": "夜战", "attributes": EVENT}, chapter=3)
    (found,) = story.proposals()
    done = story.review(found.id, "approved")
    made = story.event.read(id=done.linked_entity_id)
    assert (made.name, made.summary, made.time_anchor) == ("夜战", EVENT["summary"], "当夜")
    assert (made.event, made.logic, made.causality) == ("比剑", ("因怨",), "旧怨")
    assert made.moment == Moment(chapter=3)
    assert [(one.entity_id, one.name, one.role) for one in made.roles] == [
        (lin.id, "林逸", ""),
        (None, "玄天", "师父"),
    ]
    assert [one.name for one in made.locations] == ["青云宗"]
    assert made.attributes == {"天气": "雨"}
    assert skipped(story.propose({"kind": "event", "entity_name": "夜战"})) == {"known": 1}
    story.propose(entity("玄天"))
    approve_all(story)
    assert all(one.entity_id for one in story.event.read(id=made.id).roles)


def test_a_proposal_that_is_merged_into_an_event_adds_what_nobody_said(story: StoryMemory) -> None:
    known = story.event.create(name="夜战", summary="作者的话。", roles=[{"name": "林逸", "role": "攻方"}])
    story.propose({"kind": "event", "entity_name": "青云夜战", "attributes": EVENT})
    (found,) = story.proposals()
    story.review(found.id, "merged", merge_target_entity_id=known.id)
    now = story.event.read(id=known.id)
    assert (now.summary, now.time_anchor, now.aliases) == ("作者的话。", "当夜", ("青云夜战",))
    assert [(one.name, one.role) for one in now.roles] == [("林逸", "攻方"), ("玄天", "师父")]
    story.history.undo()
    before = story.event.read(id=known.id)
    assert (before.roles, before.time_anchor, before.aliases) == (known.roles, "", ())
    person = story.entity.create(type="character", name="林逸")
    with pytest.raises(InvalidInput):
        story.review(found.id, "merged", merge_target_entity_id=person.id)


# What extractors may say


def draft(**fields: Any) -> Draft:
    said = {"kind": "entity", "entity_name": "林逸", "entity_type": "character", "confidence": 0.5}
    return Draft(**{**said, **fields})


@pytest.mark.parametrize(
    "useless",
    [
        {"entity_name": ""},
        {"entity_name": "长" * 201},
        {"entity_name": "\u200b"},
        {"entity_name": "甲\u0000"},
        {"kind": "relation", "attributes": {"target": "林逸", "type": "knows"}},
        {"kind": "relation", "attributes": {"target": "玄天"}},
        {"kind": "relation", "attributes": {"target": "玄天", "type": "x" * 65}},
        {"kind": "relation", "attributes": {"target": ["玄天"], "type": "knows"}},
        {"kind": "alias", "attributes": {"aliasOf": "林逸"}},
        {"kind": "alias"},
    ],
)
def test_a_find_of_no_use_is_counted_and_left_out(useless: dict[str, Any]) -> None:
    assert screened([draft(**useless)], TEXT, 200) == ([], 1)


def test_the_rest_of_a_find_is_kept_when_a_part_of_it_cannot_be() -> None:
    deep: dict[str, Any] = {}
    for _ in range(40):
        deep = {"d": deep, "x": 1}
    said = {"年": 25, "空": None, "": 1, "深": deep, "坏": "\ud800", "tags": 5, "大": "长" * 300_000}
    (kept,), none = screened([draft(attributes=said, aliases=("", "小逸", "林逸", "长" * 257))], TEXT, 200)
    assert (kept.attributes, kept.aliases, none) == ({"年": 25}, ("小逸",), 0)
    (kept,), _ = screened([draft(attributes={f"k{n}": n for n in range(9)})], TEXT, 3)
    assert len(kept.attributes) == 3
    (kept,), _ = screened([draft(entity_type="dragon")], TEXT, 3)
    assert kept.entity_type == "unknown"


@pytest.mark.parametrize(
    ("source_text", "start", "place"),
    [
        ("寒霜剑", None, (7, 10)),
        ("寒霜剑", 0, (7, 10)),
        ("寒霜剑", 7, (7, 10)),
        ("寒霜剑", -8, (7, 10)),
        ("不在文中", 3, (None, None)),
        ("", 3, (None, None)),
    ],
)
def test_a_quotation_has_its_true_place_or_none(
    source_text: str, start: int | None, place: tuple[int | None, int | None]
) -> None:
    (kept,), _ = screened([draft(source_text=source_text, source_start=start, source_end=99)], TEXT, 3)
    assert (kept.source_start, kept.source_end) == place


def test_an_invented_quotation_does_not_become_a_description(story: StoryMemory) -> None:
    sword = entity("寒霜剑", "item", source_text=TEXT)
    story.propose(entity("林逸", source_text="林逸会飞"), sword, text=TEXT)
    approve_all(story)
    said = {one.name: one.description for one in story.entity.list().items}
    assert said == {"林逸": "林逸", "寒霜剑": TEXT}
