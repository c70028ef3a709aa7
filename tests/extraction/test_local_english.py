import pytest

from fabula.extraction.local import LocalExtractor
from fabula.extraction.port import KnownEntity
from fabula.model.proposal import Draft, ProposalKind

SCENE = """\
Elara Voss crossed the Bridge of Sighs before dawn. "You are late," said Captain Marsh.
Elara laughed. Captain Marsh's sister, Wren, was waiting in the town of Harrowgate.
"The Order of Glass has sent for you," Wren told Elara. In Harrowgate nobody trusted the
Order of Glass. Marsh drew the Sunblade Sword and looked at Wren. Presently Mr.
Thorne, a member of the Order of Glass, walked with Elara to Harrowgate. Thorne said
nothing. Nobody spoke on Sunday."""

EXTRACTOR = LocalExtractor()


def entities(drafts: list[Draft]) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {
        draft.entity_name: (draft.entity_type, draft.aliases)
        for draft in drafts
        if draft.kind is ProposalKind.ENTITY
    }


def test_names_are_found_with_their_types_and_short_forms() -> None:
    assert entities(EXTRACTOR.extract(SCENE, [], "en")) == {
        "Elara Voss": ("character", ("Elara",)),
        "Captain Marsh": ("character", ("Marsh",)),
        "Mr. Thorne": ("character", ("Thorne",)),
        "Wren": ("character", ()),
        "Harrowgate": ("location", ()),
        "Bridge of Sighs": ("location", ()),
        "Order of Glass": ("faction", ()),
        "Sunblade Sword": ("item", ()),
    }


def test_relations_are_those_that_the_text_says() -> None:
    found = {
        (draft.entity_name, draft.attributes["type"], draft.attributes["target"])
        for draft in EXTRACTOR.extract(SCENE, [], "en")
        if draft.kind is ProposalKind.RELATION
    }

    assert found == {
        ("Wren", "sibling", "Captain Marsh"),
        ("Captain Marsh", "owns", "Sunblade Sword"),
        ("Mr. Thorne", "belongs_to", "Order of Glass"),
    }


@pytest.mark.parametrize(
    ("sentence", "relation"),
    [
        ("Then Ada's mother, Ruth, came in.", ("Ruth", "parent", "Ada")),
        ("Ada and her younger brother Tom waited.", ("Tom", "sibling", "Ada")),
        ("Tom was the apprentice of Ruth.", ("Ruth", "mentors", "Tom")),
        ("Tom, Ada's husband, said nothing.", ("Tom", "husband", "Ada")),
    ],
)
def test_a_relation_has_the_right_direction(sentence: str, relation: tuple[str, str, str]) -> None:
    known = [KnownEntity(name, "character") for name in ("Ada", "Ruth", "Tom")]

    drafts = EXTRACTOR.extract(sentence, known, "en")

    assert [(d.entity_name, d.attributes["type"], d.attributes["target"]) for d in drafts] == [relation]


@pytest.mark.parametrize("name", ["Mara Venn", "Lena Orme", "Sela Dorn", "Tomas Reed", "Kessa Dorn"])
def test_somebody_named_once_at_the_beginning_of_a_first_paragraph_is_found(name: str) -> None:
    found = entities(EXTRACTOR.extract(f"{name} walked between the glass trees.", [], "en"))
    assert found == {name: ("character", ())}


@pytest.mark.parametrize("word", ["Beneath", "Perhaps", "Silent", "Outside", "Poor"])
def test_a_word_before_a_name_is_no_part_of_it(word: str) -> None:
    assert "Mara Venn" in entities(EXTRACTOR.extract(f"{word} Mara Venn lay the road.", [], "en"))


def test_a_word_at_the_beginning_of_a_sentence_is_no_name() -> None:
    text = (
        "Presently the rain stopped. Nobody moved. Certainly it was late. Rain fell again. The rain was cold."
    )

    assert EXTRACTOR.extract(text, [], "en") == []


def test_part_of_a_known_name_is_an_alias_of_it() -> None:
    drafts = EXTRACTOR.extract(SCENE, [KnownEntity("Elara Voss", "character")], "en")

    assert [(d.entity_name, d.same_as) for d in drafts if d.kind is ProposalKind.ALIAS] == [
        ("Elara", "Elara Voss")
    ]
    assert "Elara Voss" not in entities(drafts)


def test_a_man_and_a_woman_of_one_family_are_two() -> None:
    text = (
        "We met Mr. Hale and Mrs. Hale. Later Mr. Hale spoke with Mrs. Hale about it, and Mrs. Hale agreed."
    )

    assert entities(EXTRACTOR.extract(text, [], "en")).keys() == {"Mr. Hale", "Mrs. Hale"}


def test_who_is_often_named_together_knows_each_other() -> None:
    text = "\n".join(f"On day {n} Ada came to the mill, and Ruth was there." for n in range(6))
    known = [KnownEntity("Ada", "character"), KnownEntity("Ruth", "character")]

    drafts = EXTRACTOR.extract(text, known, "en")

    assert [(d.entity_name, d.attributes["type"], d.attributes["target"]) for d in drafts] == [
        ("Ada", "knows", "Ruth")
    ]


def test_two_known_names_side_by_side_are_not_a_new_one() -> None:
    text = "On the Old Pier Shen Chao waited. Later the Old Pier Shen Chao knew was gone, and Shen Chao wept."
    known = [KnownEntity("Old Pier", "location"), KnownEntity("Shen Chao", "character")]
    assert "Old Pier Shen Chao" in entities(EXTRACTOR.extract(text, [], "en"))
    assert entities(EXTRACTOR.extract(text, known, "en")) == {}
