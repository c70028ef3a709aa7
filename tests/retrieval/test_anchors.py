from __future__ import annotations

from fabula.retrieval.anchors import find_anchors
from plain_world import PlainWorld, Somebody

KARENIN = PlainWorld(
    [
        Somebody("Anna Arkadyevna Karenina", aliases=("Annie",)),
        Somebody("Alexey Alexandrovitch Karenin"),
        Somebody("Count Alexey Kirillovitch Vronsky"),
        Somebody("Alexander Vronsky"),
        Somebody("Sergey Karenin", keywords=("the boy",)),
        Somebody("Rose", "A maid."),
    ],
    relations=[
        ("Count Alexey Kirillovitch Vronsky", "lover", "Anna Arkadyevna Karenina"),
        ("Alexey Alexandrovitch Karenin", "husband", "Anna Arkadyevna Karenina"),
        ("Alexander Vronsky", "brother", "Count Alexey Kirillovitch Vronsky"),
    ],
)


def anchors(world: PlainWorld, query: str) -> dict[str, tuple[str, float]]:
    found = find_anchors(world, query, world.everybody())
    return {world.people[anchor.slot].name: (anchor.way, anchor.weight) for anchor in found}


def test_names_aliases_and_keywords_are_anchors_with_their_places() -> None:
    found = find_anchors(KARENIN, "Annie saw the boy", KARENIN.everybody())
    assert [(anchor.places[0].term, anchor.places[0].kind, anchor.places[0].start) for anchor in found] == [
        ("Annie", "alias", 0),
        ("the boy", "keyword", 10),
    ]
    assert found[0].weight > found[1].weight


def test_a_part_of_a_name_implies_its_bearer() -> None:
    assert anchors(KARENIN, "Where is Karenina?") == {"Anna Arkadyevna Karenina": ("implied", 0.75 * 0.85)}
    assert list(anchors(KARENIN, "Stepan met Anna Arkadyevna")) == ["Anna Arkadyevna Karenina"]


def test_chinese_given_names_imply_their_bearers() -> None:
    world = PlainWorld([Somebody("贾宝玉"), Somebody("林黛玉"), Somebody("王夫人"), Somebody("欧阳锋")])
    assert list(anchors(world, "宝玉来见黛玉，夫人不在")) == ["林黛玉", "贾宝玉"]


def test_a_shared_name_goes_to_the_one_in_company() -> None:
    found = anchors(KARENIN, "Vronsky danced with Anna Arkadyevna")
    assert "Count Alexey Kirillovitch Vronsky" in found
    assert "Alexander Vronsky" not in found


def test_a_shared_name_without_company_is_shared() -> None:
    world = PlainWorld([Somebody("Tom Gray"), Somebody("Ann Gray")])
    found = anchors(world, "Gray")
    assert set(found) == {"Tom Gray", "Ann Gray"}
    assert all(weight < 0.4 for _, weight in found.values())


def test_a_part_inside_the_longer_name_of_another_is_nobody() -> None:
    assert anchors(KARENIN, "He met Sergey Ivanovitch") == {}
    assert list(anchors(KARENIN, "He met Sergey")) == ["Sergey Karenin"]


def test_a_common_word_in_small_letters_is_a_weak_anchor() -> None:
    sure, unsure = anchors(KARENIN, "Rose came"), anchors(KARENIN, "The sun rose")
    assert unsure["Rose"][1] < 0.5 < sure["Rose"][1]
    assert anchors(KARENIN, "who is rose")["Rose"] == sure["Rose"]


SMITHY = PlainWorld(
    [
        Somebody("Ilmar", "The old smith who forged the sword of the north."),
        Somebody("Rea", "A baker with a shop by the river."),
        Somebody("铁翁", "铸造霜刃的老铁匠。"),
    ]
)


def test_a_word_that_asks_is_nobody() -> None:
    world = PlainWorld(
        [
            Somebody("Who"),
            Somebody("When Harry Met Sally"),
            Somebody("Harry"),
            Somebody("It", keywords=("what",)),
        ]
    )
    for question in ("Who met Harry?", "When did Harry leave?", "Tell me: who is Harry? It is late."):
        assert "Who" not in anchors(world, question), question
        assert "When Harry Met Sally" not in anchors(world, question), question
        assert "It" not in anchors(world, question), question
        assert "Harry" in anchors(world, question), question
    assert list(anchors(world, "Who")) == ["Who"]
    assert "Who" in anchors(world, "Harry met Who there")
    assert "It" in anchors(world, "what is left of Harry")


def test_words_make_an_anchor_where_nobody_is_named() -> None:
    assert list(anchors(SMITHY, "the smith who forged it")) == ["Ilmar"]
    assert anchors(SMITHY, "the smith who forged it")["Ilmar"][0] == "said"
    assert list(anchors(SMITHY, "铸造霜刃的人")) == ["铁翁"]


def test_noise_makes_no_anchor() -> None:
    assert anchors(SMITHY, "a long letter about the weather, the harvest and one river") == {}
    assert anchors(SMITHY, "") == {}


def test_meaning_makes_an_anchor_above_the_floor_only() -> None:
    world = PlainWorld(SMITHY.people, meanings={"Rea": 0.8, "Ilmar": 0.3})
    assert [(name, way) for name, (way, _) in anchors(world, "qui fait le pain ?").items()] == [
        ("Rea", "meant")
    ]
    alike = PlainWorld(SMITHY.people, meanings={"Rea": 0.8, "Ilmar": 0.79, "铁翁": 0.8})
    assert anchors(alike, "qui fait le pain ?") == {}


def test_a_forbidden_longer_name_does_not_hide_an_allowed_one() -> None:
    world = PlainWorld([Somebody("Anna"), Somebody("Anna of the Marsh")])
    found = find_anchors(world, "Anna of the Marsh", world.all_but("Anna of the Marsh"))
    assert world.names(found) == ["Anna"]


def test_forbidden_company_does_not_speak_for_a_namesake() -> None:
    secrets = ("Xaver", "Yorick", "Zeno")
    world = PlainWorld(
        [Somebody("Tom Gray"), Somebody("Ann Gray"), *map(Somebody, secrets)],
        relations=[("Tom Gray", "ally", secret) for secret in secrets],
    )
    assert world.names(find_anchors(world, "Gray", world.everybody())) == ["Tom Gray"]
    assert len(find_anchors(world, "Gray", world.all_but(*secrets))) == 2
