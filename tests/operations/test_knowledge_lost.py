"""What a deletion takes along of who knows what is counted before, and is gone afterwards."""

from __future__ import annotations

from typing import Any

from fabula.story_memory import StoryMemory


def told(story: StoryMemory) -> dict[str, Any]:
    ann, bob, cy = (story.entity.create(type="character", name=name).id for name in ("Ann", "Bob", "Cy"))
    night = story.event.create(summary="Ann told it.", tells=[{"kind": "entity", "id": ann}]).id
    state = story.state.create(entity_id=ann, description="Poisoned.").id
    tie = story.relation.create(source_entity_id=ann, target_entity_id=bob, relation_type="sibling").id
    for kind, key in (("entity", ann), ("state", state), ("relation", tie)):
        story.knowing.create(fact={"kind": kind, "id": key}, knower_id=cy)
    story.knowing.create(fact={"kind": "event", "id": night}, knower_id=ann)
    story.knowing.create(fact={"kind": "event", "id": night}, knower_id=bob)
    story.reveal.create(entity_ids=[ann, bob], at={"chapter": 3})
    story.reveal.create(entity_ids=[bob, cy], at={"chapter": 4}, known_to=[ann])
    for key, names in (
        (ann, [{"name": "the visitor", "until": {"chapter": 2}}]),
        (bob, [{"name": "Salt", "known_to": [ann]}]),
    ):
        version = story.entity.read(id=key).version
        story.entity.update(id=key, expected_version=version, patch={"names": names})
    return {"ann": ann, "bob": bob, "cy": cy, "night": night}


def test_the_impact_of_a_deletion_counts_what_is_known_and_the_deletion_takes_it(story: StoryMemory) -> None:
    ids = told(story)
    ann = ids["ann"]
    impact = story.entity.impact(id=ann).knowings
    assert impact.model_dump() == {
        "as_fact": 3,
        "as_knower": 1,
        "states": 1,
        "names": 1,
        "reveals": 1,
        "tellings": 1,
        "known_names": 1,
        "known_reveals": 1,
    }
    version = story.entity.read(id=ann).version
    story.entity.delete(id=ann, expected_version=version)
    assert [one.knower_id for one in story.knowing.list().items] == [ids["bob"]]
    assert [one.known_to for one in story.reveal.list().items] == [()]
    assert story.event.read(id=ids["night"]).tells == ()
    assert [name.known_to for name in story.entity.read(id=ids["bob"]).names] == [()]
    story.history.undo()
    assert story.entity.impact(id=ann).knowings == impact


def test_a_merge_keeps_what_is_known(story: StoryMemory) -> None:
    ids = told(story)
    for reveal in story.reveal.list().items:
        story.reveal.delete(id=reveal.id)
    other = story.entity.create(type="character", name="Dee").id
    before = story.entity.impact(id=ids["ann"]).knowings
    story.entity.merge(target_entity_id=other, source_entity_ids=[ids["ann"]])
    after = story.entity.impact(id=other).knowings
    assert after == before.model_copy(update={"known_reveals": 0})
