from typing import Any

from fabula.extraction.merging import merged
from fabula.model.proposal import Draft, ProposalKind


def entity(name: str, **fields: Any) -> Draft:
    return Draft(
        kind=ProposalKind.ENTITY, entity_name=name, entity_type="character", confidence=0.8, **fields
    )


def relation(source: str, word: str, target: str) -> Draft:
    attributes = {"target": target, "type": word, "description": ""}
    return Draft(
        kind=ProposalKind.RELATION,
        entity_name=source,
        entity_type="character",
        confidence=0.8,
        attributesJson=attributes,
    )


def test_two_finds_of_one_are_joined_and_nothing_of_them_is_lost() -> None:
    (one,) = merged(
        [
            entity(
                "Ada",
                attributes={"role": "smith", "skills": ["iron"]},
                aliases=("Addy",),
                source_start=90,
                source_end=93,
            ),
            entity(
                "ada ",
                attributes={"role": "queen", "skills": ["iron", "gold"], "age": 9},
                source_start=4,
                source_end=7,
            ),
        ]
    )

    assert one.attributes == {"role": "smith", "skills": ["iron", "gold"], "age": 9}
    assert (one.entity_name, one.aliases, one.source_start) == ("Ada", ("Addy",), 4)


def test_a_find_by_its_alias_is_the_one_who_has_it() -> None:
    drafts = merged(
        [
            entity("林惊羽", aliases=("惊羽",)),
            entity("惊羽"),
            relation("惊羽", "knows", "苏瑶"),
            relation("苏瑶", "knows", "惊羽"),
        ]
    )

    assert [(d.kind.value, d.entity_name) for d in drafts] == [
        ("entity", "林惊羽"),
        ("relation", "林惊羽"),
        ("relation", "苏瑶"),
    ]
    assert drafts[2].attributes["target"] == "林惊羽"


def test_an_alias_that_two_claim_joins_nobody() -> None:
    drafts = merged(
        [entity("Ada Hale", aliases=("Hale",)), entity("Tom Hale", aliases=("Hale",)), entity("Hale")]
    )

    assert [draft.entity_name for draft in drafts] == ["Ada Hale", "Tom Hale", "Hale"]


def test_the_same_relation_by_two_words_for_it_is_one() -> None:
    assert len(merged([relation("Ada", "owns", "Ring"), relation("Ada", "POSSESSES", "ring")])) == 1
