"""Names with moments, and two entities that turn out to be one."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from fabula.errors import Conflict, InvalidInput, NotFound
from fabula.operations.agents.graph import told_path, told_subgraph
from fabula.operations.agents.reading import told_entities, told_entity
from fabula.story_memory import StoryMemory

BEFORE, FROM = 4, 5


class Cast(NamedTuple):
    """A story in which Clark Kent turns out to be Superman in chapter 5."""

    story: StoryMemory
    clark: str
    superman: str
    lois: str
    reveal: str

    def told(self, chapter: int, text: str = "Clark Kent and Superman meet Lois Lane.") -> str:
        """The context of a scene."""
        context = self.story.context(chapter, 0, text, token_budget=8_000)
        return "\n".join(message.content for message in context.messages)

    def lore(self, chapter: int, text: str) -> list[str]:
        """The ids of the lore in the context of a scene."""
        context = self.story.context(chapter, 0, text, token_budget=8_000)
        return [item.id for item in context.trace if item.included and item.kind == "entry"]


@pytest.fixture
def cast(story: StoryMemory) -> Cast:
    clark = story.entity.create(
        type="character",
        name="Clark Kent",
        description="A shy reporter. Nobody suspects that he is Superman.",
        attributes={"secret": "wears a blue suit as Superman", "job": "reporter"},
    )
    superman = story.entity.create(
        type="character", name="Superman", description="He flies. At day he is called Clark Kent."
    )
    lois = story.entity.create(
        type="character",
        name="Lois Lane",
        description="A reporter. She never sees Clark Kent and Superman together. She likes pie.",
        attributes={"theory": {"Clark Kent": "Superman"}, "desk": "by the window"},
    )
    for source, target, kind in (
        (clark, superman, "same_as"),
        (clark, superman, "envies"),
        (clark, lois, "colleague"),
        (superman, lois, "rescuer"),
    ):
        story.relation.create(
            source_entity_id=source.id, target_entity_id=target.id, relation_type=kind, description=""
        )
    reveal = story.reveal.create(entity_ids=[clark.id, superman.id], at={"chapter": FROM})
    return Cast(story, clark.id, superman.id, lois.id, reveal.id)


def test_before_the_reveal_nothing_joins_the_two(cast: Cast) -> None:
    told = cast.told(BEFORE)
    assert "A shy reporter." in told
    assert "He flies." in told
    assert "She likes pie." in told
    assert "by the window" in told
    for secret in ("suspects", "blue suit", "called Clark", "together", "theory", "same_as"):
        assert secret not in told


def test_before_the_reveal_they_are_two_with_relations_of_their_own(cast: Cast) -> None:
    context = cast.story.context(BEFORE, 0, "Clark Kent and Superman meet Lois Lane.", token_budget=8_000)
    assert {cast.clark, cast.superman} <= {item.id for item in context.trace if item.included}
    (held_back,) = (item for item in context.trace if item.reason == "unrevealed")
    assert held_back.id == _relation(cast, "same_as")
    assert held_back.label == held_back.id
    assert "envies" in cast.told(BEFORE)


def test_from_the_reveal_on_they_are_one_with_both_names_and_the_relations_of_both(cast: Cast) -> None:
    context = cast.story.context(FROM, 0, "Superman meets Lois Lane.", token_budget=8_000)
    told = "\n".join(message.content for message in context.messages)
    ids = [item.id for item in context.trace if item.included]
    assert "Clark Kent / Superman" in told
    assert cast.superman not in ids
    assert ids.count(cast.clark) == 1
    assert "A shy reporter." in told
    assert "He flies." in told
    assert "blue suit" in told
    assert "colleague" in told
    assert "rescuer" in told
    assert "envies" not in told


def test_agents_find_two_before_and_one_after(cast: Cast) -> None:
    call, story_id = cast.story._memory.call(), cast.story.id
    before = told_entities(call, project_id=story_id, chapter=BEFORE)
    after = told_entities(call, project_id=story_id, chapter=FROM)
    assert {one.name for one in before.items} == {"Clark Kent", "Superman", "Lois Lane"}
    assert {one.name for one in after.items} == {"Clark Kent", "Lois Lane"}
    one = told_entity(call, project_id=story_id, chapter=BEFORE, entity="Clark Kent")
    assert "Superman" not in one.text + str(one.attributes)
    assert {relation.type for relation in one.relations} == {"envies", "colleague"}
    joined = told_entity(call, project_id=story_id, chapter=FROM, entity="Superman")
    assert (joined.id, joined.name) == (cast.clark, "Clark Kent")
    assert "Superman" in joined.aliases
    assert {relation.type for relation in joined.relations} == {"colleague", "rescuer"}


def test_no_walk_follows_the_relation_that_says_it(cast: Cast) -> None:
    cast.story.relation.delete(id=_relation(cast, "envies"))
    call, story_id = cast.story._memory.call(), cast.story.id
    path = told_path(call, project_id=story_id, chapter=BEFORE, source="Clark Kent", target="Superman")
    assert [step.target.name for step in path.steps] == ["Lois Lane", "Superman"]
    near = told_subgraph(call, project_id=story_id, chapter=BEFORE, entity="Clark Kent", depth=1)
    assert {node.name for node in near.nodes} == {"Clark Kent", "Lois Lane"}
    after = told_subgraph(call, project_id=story_id, chapter=FROM, entity="Superman", depth=1)
    assert {node.name for node in after.nodes} == {"Clark Kent", "Lois Lane"}


def _relation(cast: Cast, kind: str) -> str:
    items = cast.story.relation.list().items
    return next(one.id for one in items if one.relation_type == kind)


def test_an_alias_that_is_the_others_name_does_not_join_them(cast: Cast) -> None:
    cast.story.entity.update(id=cast.clark, expected_version=1, patch={"aliases": ["Superman", "Kal"]})
    cast.story.relation.delete(id=_relation(cast, "envies"))
    found = cast.lore(BEFORE, "Superman lands.")
    assert cast.superman in found
    assert cast.clark not in found
    call = cast.story._memory.call()
    one = told_entity(call, project_id=cast.story.id, chapter=BEFORE, entity="Clark Kent")
    assert one.aliases == ("Kal",)


def test_a_search_finds_two_before_and_one_after(cast: Cast) -> None:
    before = cast.story.search("Superman", audience="model", as_of={"chapter": BEFORE})
    assert cast.clark not in {hit.id for hit in before.items if hit.why == "name"}
    assert not any("suspects" in hit.snippet or "called" in hit.snippet for hit in before.items)
    after = cast.story.search("Superman", audience="model", as_of={"chapter": FROM})
    ids = [hit.id for hit in after.items]
    assert cast.clark in ids
    assert cast.superman not in ids


def test_the_author_sees_two_at_every_moment(cast: Cast) -> None:
    hits = cast.story.search("Superman", as_of={"chapter": FROM}).items
    assert {cast.clark, cast.superman} <= {hit.id for hit in hits}


def test_two_whom_the_story_keeps_apart_are_not_merged(cast: Cast) -> None:
    with pytest.raises(Conflict) as refused:
        cast.story.entity.merge(target_entity_id=cast.clark, source_entity_ids=[cast.superman])
    assert refused.value.details["reason"] == "kept_apart"
    cast.story.reveal.delete(id=cast.reveal)
    cast.story.entity.merge(target_entity_id=cast.clark, source_entity_ids=[cast.superman])


def test_a_name_that_would_join_two_who_are_kept_apart_is_not_proposed(cast: Cast) -> None:
    alias = {"kind": "alias", "entityName": "Superman", "entityType": "character"}
    said = cast.story.propose({**alias, "attributes": {"aliasOf": "Clark Kent"}})
    assert (said.total_extracted, said.skipped.kept_apart) == (0, 1)
    same = {"entityName": "Superman", "entityType": "character", "aliases": ["Clark Kent"]}
    assert cast.story.propose(same).skipped.kept_apart == 1


def test_a_proposal_from_before_the_reveal_is_refused_with_that_reason(cast: Cast) -> None:
    cast.story.reveal.delete(id=cast.reveal)
    alias = {"kind": "alias", "entityName": "Superman", "entityType": "character"}
    said = cast.story.propose({**alias, "attributes": {"aliasOf": "Clark Kent"}})
    assert said.total_extracted == 1
    cast.story.reveal.create(entity_ids=[cast.clark, cast.superman], at={"chapter": FROM})
    (waiting,) = cast.story.proposals()
    with pytest.raises(Conflict) as refused:
        cast.story.review(waiting.id, "approved")
    assert refused.value.details["reason"] == "kept_apart"


def test_a_reveal_moves_with_its_chapter_and_can_be_undone(cast: Cast) -> None:
    for chapter in range(FROM + 1):
        cast.story.scene(chapter, 0, "Rain.")
    cast.story.move_chapter(FROM, 1)
    (moved,) = cast.story.reveal.list().items
    assert moved.at.chapter == 1
    cast.story.history.undo()
    (back,) = cast.story.reveal.list().items
    assert back.at.chapter == FROM


def test_a_reveal_goes_with_its_entity_and_comes_back_with_it(cast: Cast) -> None:
    cast.story.entity.delete(id=cast.superman)
    assert cast.story.reveal.list().items == ()
    cast.story.history.undo()
    (back,) = cast.story.reveal.list().items
    assert back.id == cast.reveal


def test_a_reveal_needs_two_entities_of_the_story_and_is_made_once(cast: Cast) -> None:
    with pytest.raises(InvalidInput):
        cast.story.reveal.create(entity_ids=[cast.lois, cast.lois], at={"chapter": 1})
    with pytest.raises(NotFound):
        cast.story.reveal.create(entity_ids=[cast.lois, "nobody"], at={"chapter": 1})
    with pytest.raises(NotFound):
        cast.story.reveal.update(id=cast.reveal, known_to=["nobody"])
    with pytest.raises(Conflict):
        cast.story.reveal.create(entity_ids=[cast.superman, cast.clark], at={"chapter": 1})


def test_moving_the_moment_changes_what_is_told(cast: Cast) -> None:
    assert "blue suit" not in cast.told(3)
    cast.story.reveal.update(id=cast.reveal, at={"chapter": 2})
    assert "blue suit" in cast.told(3)


def test_three_who_are_one_are_revealed_one_after_the_other(cast: Cast) -> None:
    kal = cast.story.entity.create(
        type="character", name="Kal El", description="He is also Clark Kent. Born far."
    )
    cast.story.reveal.create(entity_ids=[cast.superman, kal.id], at={"chapter": 7})
    text = "Clark Kent, Superman and Kal El."
    assert "also Clark" not in cast.told(6, text)
    assert "Born far." in cast.told(6, text)
    assert "also Clark" in cast.told(7, text)


# Names with moments


@pytest.fixture
def visitor(story: StoryMemory) -> str:
    entity = story.entity.create(
        type="character",
        name="Granny Tao",
        description="Walks with a stick. Granny Tao brews tea.",
        names=[
            {"name": "the grey visitor", "until": {"chapter": 3}},
            {"name": "Mr Salt", "since": {"chapter": 3}},
            {"name": "Granny Tao", "since": {"chapter": 8}},
        ],
    )
    return str(entity.id)


@pytest.mark.parametrize(
    ("chapter", "called", "unknown"),
    [
        (1, "the grey visitor", ("Mr Salt", "Granny Tao")),
        (4, "Mr Salt", ("Granny Tao",)),
        (8, "Granny Tao", ()),
    ],
)
def test_a_model_reads_the_newest_name_that_is_valid(
    story: StoryMemory, visitor: str, chapter: int, called: str, unknown: tuple[str, ...]
) -> None:
    context = story.context(chapter, 0, "Here comes the grey visitor.", token_budget=8_000)
    told = "\n".join(message.content for message in context.messages)
    assert called in told
    assert "Walks with a stick." in told
    assert not [name for name in unknown if name in told]
    one = told_entity(story._memory.call(), project_id=story.id, chapter=chapter, entity=visitor)
    assert one.name == called
    assert not [name for name in unknown if name in str(one)]


def test_a_name_that_is_not_borne_yet_leads_to_nobody(story: StoryMemory, visitor: str) -> None:
    early = story.context(1, 0, "Granny Tao laughs.", token_budget=8_000)
    assert visitor not in {item.id for item in early.trace}
    assert visitor in {item.id for item in story.context(8, 0, "Mr Salt laughs.").trace if item.included}
    call = story._memory.call()
    with pytest.raises(NotFound):
        told_entity(call, project_id=story.id, chapter=1, entity="Granny Tao")
    hits = story.search("Granny Tao", audience="model", as_of={"chapter": 1}).items
    assert not [hit for hit in hits if hit.why == "name"]
    assert not [hit for hit in hits if "Granny" in hit.title + hit.snippet]


def test_the_author_keeps_the_name_as_the_identity(story: StoryMemory, visitor: str) -> None:
    assert story.entity.read(id=visitor).name == "Granny Tao"
    assert [one.name for one in story.entity.read(id=visitor).names][1] == "Mr Salt"
    assert visitor in {hit.id for hit in story.search("Mr Salt").items}


def test_names_move_with_their_chapters(story: StoryMemory, visitor: str) -> None:
    for chapter in range(9):
        story.scene(chapter, 0, "Rain.")
    story.move_chapter(8, 1)
    assert [one.since.chapter for one in story.entity.read(id=visitor).names if one.since] == [4, 1]
    story.history.undo()
    assert [one.since.chapter for one in story.entity.read(id=visitor).names if one.since] == [3, 8]


def test_a_name_is_known_to_people_of_the_story_only(story: StoryMemory, visitor: str) -> None:
    with pytest.raises(NotFound):
        story.entity.update(
            id=visitor, expected_version=1, patch={"names": [{"name": "Tao", "knownTo": ["nobody"]}]}
        )
    backwards = {"name": "Tao", "since": {"chapter": 3}, "until": {"chapter": 1}}
    with pytest.raises(InvalidInput):
        story.entity.update(id=visitor, expected_version=1, patch={"names": [backwards]})


def test_what_would_change_if_the_reveal_came_earlier(cast: Cast) -> None:
    # No two scenes share a word, so that none recalls another.
    for chapter, text in enumerate(
        ("Rain.", "Fog.", "Hail.", "Clark Kent and Superman meet Lois Lane.", "Snow.", "Wind.", "Sun.")
    ):
        cast.story.scene(chapter, 0, text)
    foreseen = cast.story.reveal.what_if(id=cast.reveal, at={"chapter": 2})
    assert foreseen.scene_count == 3
    (scene,) = foreseen.scenes
    assert (scene.chapter, scene.scene) == (3, 0)
    assert cast.superman in {piece.id for piece in scene.loses}
    assert cast.clark in {piece.id for piece in scene.changes}
    (unchanged,) = cast.story.reveal.list().items
    assert unchanged.at.chapter == FROM
    later = cast.story.reveal.what_if(id=cast.reveal, at={"chapter": FROM})
    assert (later.scene_count, later.scenes) == (0, ())


@pytest.mark.parametrize("question", ["Superman", "Clark Kent", "who is Clark Kent", "blue suit"])
def test_an_author_who_searches_as_somebody_finds_nothing_that_joins_the_two(
    cast: Cast, question: str
) -> None:
    cast.story.scene(2, 0, "Rain fell. Clark Kent is Superman, of course. Superman wears a blue suit.")
    entry = {"entry_key": "suits", "content": "A tailor. Clark Kent keeps the blue suit of Superman."}
    cast.story.ask("lorebook.entry.create", entry=entry)

    def snippets(chapter: int, pov: str | None) -> list[str]:
        found = cast.story.search(question, as_of={"chapter": chapter}, pov=pov)
        return [f"{hit.title} {hit.snippet}" for hit in found.items]

    for text in snippets(BEFORE, cast.lois):
        assert not ("Clark" in text and "Superman" in text), text
    assert any("Clark" in text and "Superman" in text for text in snippets(BEFORE, None))
    assert any("Superman" in text for text in snippets(BEFORE, cast.lois))
