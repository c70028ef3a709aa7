"""States, names, knowings, tellings and reveals travel in bundles, and open nothing on the way."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import BundleInvalid, Forbidden
from fabula.memory import Memory
from fabula.operations.import_export.export_story import export_file
from fabula.story_memory import StoryMemory

MOMENTS = st.none() | st.builds(
    lambda chapter, scene: {"chapter": chapter} | ({} if scene is None else {"scene": scene}),
    st.integers(0, 3),
    st.none() | st.integers(0, 2),
)
WHO = st.integers(0, 2)
SECRECY = st.sampled_from(["public", "private"])
TEXTS = st.sampled_from(["", "was poisoned.", "他知道。", "yes", "- 007: x", "two\nlines"])
FACT = st.tuples(st.sampled_from(["entity", "event", "relation", "state"]), WHO)
STATES = st.fixed_dictionaries(
    {
        "who": WHO,
        "description": TEXTS.filter(bool),
        "attributes": st.dictionaries(st.sampled_from(["mood", "心情", "null"]), TEXTS, max_size=2),
        "secrecy": SECRECY,
        "since": MOMENTS,
        "told": MOMENTS,
        "valid_from": st.none() | st.builds(lambda day: {"day": day}, st.integers(-9, 9)),
    }
)
KNOWINGS = st.fixed_dictionaries(
    {
        "who": WHO,
        "fact": FACT,
        "since": MOMENTS,
        "how": st.sampled_from(["witnessed", "told", "read", "deduced", "believes"]),
        "said": st.sampled_from([{}, {"knows": False}, {"belief": "He is only late."}]),
        "source": st.sampled_from([None, {}, {"quotation": "he saw it"}, {"event": True}]),
    }
)
NAMES = st.fixed_dictionaries(
    {
        "who": WHO,
        "name": st.sampled_from(["Mr Salt", "the visitor", "白先生"]),
        "since": MOMENTS,
        "known_to": st.none() | st.lists(WHO, max_size=2, unique=True),
    }
)
REVEALS = st.none() | st.fixed_dictionaries(
    {"at": MOMENTS.filter(bool), "known_to": st.none() | st.lists(WHO, max_size=2, unique=True)}
)


def bundle_of(memory: Memory, story: StoryMemory) -> str:
    with export_file(memory.call(), project_id=story.id, format="bundle") as file:
        return file.read().decode()


def held(story: StoryMemory) -> dict[str, Any]:
    """Everything that is said besides nodes and edges, with names for ids."""
    people = story.entity.list(limit=100).items
    ids: dict[str, Any] = {one.id: one.name for one in people}
    for tie in story.relation.list(limit=100).items:
        ids[tie.id] = (ids[tie.source_entity_id], tie.relation_type, ids[tie.target_entity_id])
    states = [state for one in people for state in story.state.list(entity_id=one.id).items]
    for state in states:
        said = state.model_dump(exclude={"id", "project_id", "version", "created_at", "updated_at"})
        ids[state.id] = repr(said | {"entity_id": ids[state.entity_id]})
    knowings = []
    for one in story.knowing.list(limit=1000).items:
        source = one.source and (one.source.quotation, ids.get(one.source.event_id or ""))
        knower, fact = ids[one.knower_id], (one.fact.kind, ids[one.fact.id])
        knowings.append(repr((knower, fact, one.knows, one.since, one.until, one.how, one.belief, source)))

    def named(keys: Any) -> Any:
        return keys if keys is None else [ids[key] for key in keys]

    return {
        "states": sorted({ids[state.id] for state in states}),
        "names": {
            one.name: [(name.name, name.since, name.until, named(name.known_to)) for name in one.names]
            for one in people
        },
        "knowings": sorted(set(knowings)),
        "tells": {
            one.name: [(fact.kind, ids[fact.id]) for fact in story.event.read(id=one.id).tells]
            for one in people
            if one.type == "event"
        },
        "reveals": [
            (named(one.entity_ids), one.at, named(one.known_to)) for one in story.reveal.list().items
        ],
    }


def told(story: StoryMemory) -> dict[str, list[str]]:
    """Three people, an event, and two ties; returns the ids by kind."""
    people = [story.entity.create(type="character", name=name).id for name in ("Ann", "Bob", "Cy")]
    night = story.entity.create(type="event", name="the night").id
    ties = [
        story.relation.create(
            source_entity_id=people[0], target_entity_id=people[1], relation_type="sibling", **said
        ).id
        for said in ({}, {"since": {"chapter": 2}}, {"valid_from": {"day": 3}})
    ]
    return {"entity": people, "event": [night] * 3, "relation": ties}


@settings(
    max_examples=examples(12),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(STATES, min_size=1, max_size=4),
    st.lists(KNOWINGS, max_size=5),
    st.lists(NAMES, max_size=4),
    st.lists(FACT, max_size=3, unique=True),
    REVEALS,
)
def test_what_is_known_survives_a_bundle(
    memory: Memory,
    states: list[dict[str, Any]],
    knowings: list[dict[str, Any]],
    names: list[dict[str, Any]],
    tells: list[tuple[str, int]],
    reveal: dict[str, Any] | None,
) -> None:
    story = memory.story("one", id=memory.call().clock.new_id())
    ids = told(story)
    people = ids["entity"]
    ids["state"] = [
        story.state.create(entity_id=people[one.pop("who")], **one).id for one in map(dict, states)
    ]

    def ref(fact: tuple[str, int]) -> dict[str, str]:
        kind, number = fact
        return {"kind": kind, "id": ids[kind][number % len(ids[kind])]}

    for one in knowings:
        source = dict(one["source"]) if one["source"] is not None else None
        if source is not None and source.pop("event", False):
            source["event_id"] = ids["event"][0]
        fields = {"since": one["since"], "how": one["how"], "source": source, **one["said"]}
        story.knowing.create(fact=ref(one["fact"]), knower_id=people[one["who"]], **fields)
    for who in range(3):
        given_names = [
            {
                "name": one["name"],
                "since": one["since"],
                "known_to": one["known_to"] and [people[key] for key in one["known_to"]],
            }
            for one in {one["name"]: one for one in names if one["who"] == who}.values()
        ]
        story.entity.update(id=people[who], expected_version=1, patch={"names": given_names})
    story.event.update(id=ids["event"][0], patch={"tells": list(map(ref, tells))})
    if reveal is not None:
        known_to = reveal["known_to"] and [people[key] for key in reveal["known_to"]]
        story.reveal.create(entity_ids=people[1:], at=reveal["at"], known_to=known_to)
    bundle = bundle_of(memory, story)
    assert "left out" not in bundle
    copy = memory.story("two", id=memory.call().clock.new_id())
    copy.import_bundle(bundle)
    assert held(copy) == held(story)
    # The same again changes nothing, in the copy and in the story itself.
    for again in (copy, story):
        before = again.history.list(limit=1).items[0].revision
        again.import_bundle(bundle)
        assert held(again) == held(story)
        assert again.history.list(limit=1).items[0].revision == before


ANN, BOB = "{type: Character, name: Ann}", "{type: Character, name: Bob}"
TIE = f"{{relation: {{type: SIBLING, source: {ANN}, target: {BOB}}}}}"


@pytest.mark.parametrize(
    ("item", "path"),
    [
        (f"{{type: State, of: {ANN}, description: Was poisoned., secrecy: public}}", "[1].secrecy"),
        (f"{{type: Knowing, knower: {BOB}, fact: {{entity: {ANN}}}}}", "[1].fact"),
        (f"{{type: Knowing, knower: {BOB}, fact: {TIE}, how: read}}", "[1].fact"),
        (f"{{type: Telling, event: {{type: Event, name: the night}}, facts: [{TIE}]}}", "[1].facts"),
        (f"{{type: Reveal, entities: [{ANN}, {BOB}], at: {{chapter: 2}}, knownTo: []}}", "[1].at"),
        (f"{{type: Reveal, entities: [{BOB}, {ANN}], at: {{chapter: 5}}}}", "[1].knownTo"),
    ],
)
def test_an_import_opens_nothing(story: StoryMemory, item: str, path: str) -> None:
    ann, bob = (
        story.entity.create(type="character", name=name, secrecy="private").id for name in ("Ann", "Bob")
    )
    story.entity.create(type="event", name="the night")
    story.relation.create(
        source_entity_id=ann, target_entity_id=bob, relation_type="sibling", secrecy="private"
    )
    story.state.create(entity_id=ann, description="Was poisoned.", secrecy="private")
    story.reveal.create(entity_ids=[ann, bob], at={"chapter": 5}, known_to=[])
    before = held(story)
    with pytest.raises(Forbidden) as refused:
        story.import_bundle(f"- {{type: Character, name: New}}\n- {item}")
    assert (refused.value.details or {})["path"] == path
    assert held(story) == before


def test_an_import_may_hide_more(story: StoryMemory) -> None:
    ann, bob = (story.entity.create(type="character", name=name).id for name in ("Ann", "Bob"))
    story.state.create(entity_id=ann, description="Was poisoned.")
    story.reveal.create(entity_ids=[ann, bob], at={"chapter": 5}, known_to=None)
    story.import_bundle(
        f"- {{type: state, of: {ANN}, description: Was poisoned., secrecy: private}}\n"
        f"- {{type: Reveal, entities: [{ANN}, {BOB}], at: {{chapter: 7}}, knownTo: [{BOB}]}}\n"
        f"- {{type: Knowing, knower: {BOB}, fact: {{entity: {ANN}}}, belief: She is well.}}\n"
    )
    (state,) = story.state.list(entity_id=ann).items
    (reveal,) = story.reveal.list().items
    assert (state.secrecy, reveal.at.chapter, reveal.known_to) == ("private", 7, (bob,))
    assert [one.belief for one in story.knowing.list().items] == ["She is well."]


def test_all_errors_are_told_at_once(story: StoryMemory) -> None:
    story.entity.create(type="character", name="Ann")
    with pytest.raises(BundleInvalid) as refused:
        story.import_bundle(
            f"- {{type: State, of: {ANN}}}\n"
            f"- {{type: Knowing, knower: {{type: Item, name: cup}}, fact: {{state: s1}}}}\n"
            f"- {{type: Knowing, knower: {ANN}, fact: {{entity: {ANN}, state: s}}, how: guessed}}\n"
            f"- {{type: Reveal, entities: [{ANN}, {ANN}], at: {{chapter: 1}}}}\n"
            f"- {{type: Telling, event: {ANN}, facts: []}}\n"
            f"- {{type: State, of: {{type: Wizard, name: x}}, description: x, since: 5}}\n"
            f"- {{type: Knowing, action: delete, knower: {ANN}, fact: {{entity: {ANN}}}}}\n"
        )
    paths = [error["path"] for error in (refused.value.details or {})["errors"]]
    assert paths == [
        "[0]",
        "[1].knower",
        "[1].fact.state",
        "[2].fact",
        "[2].how",
        "[2].fact.state",
        "[3].entities",
        "[4].event",
        "[5].of.type",
        "[5].since",
        "[6].action",
    ]
    assert not story.knowing.list().items


def test_what_the_story_does_not_have_is_told_with_its_place(story: StoryMemory) -> None:
    story.entity.create(type="character", name="Ann")
    with pytest.raises(BundleInvalid) as refused:
        story.import_bundle(
            f"- {{type: Knowing, knower: {BOB}, fact: {{entity: {ANN}}}}}\n"
            f"- {{type: Reveal, entities: [{ANN}, {BOB}], at: {{chapter: 1}}}}\n"
        )
    paths = [error["path"] for error in (refused.value.details or {})["errors"]]
    assert paths == ["[0].knower", "[1].entities[1]"]
    story.entity.create(type="character", name="Bob")
    with pytest.raises(BundleInvalid) as refused:
        story.import_bundle(f"- {{type: Knowing, knower: {BOB}, fact: {TIE}}}\n")
    assert [error["path"] for error in (refused.value.details or {})["errors"]] == ["[0].fact"]


def test_a_type_of_the_story_keeps_its_word(memory: Memory, story: StoryMemory) -> None:
    story.ontology.write(
        text="nodes:\n  State: {identity: [name], schema: {properties: {name: {type: string}}}}\n"
    )
    made = story.entity.create(type="state", name="Utopia")
    story.state.create(entity_id=made.id, description="At war.")
    bundle = bundle_of(memory, story)
    assert "1 of states left out" in bundle
    copy = memory.story("two", id=memory.call().clock.new_id())
    copy.ontology.write(text=story.ontology.read().text)
    copy.import_bundle(bundle)
    assert [one.name for one in copy.entity.list().items] == ["Utopia"]
