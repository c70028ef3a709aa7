"""What a bundle is told when it is wrong: all of it, where it is, and what to write instead."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.formats.bundle_check import bundle_check
from fabula.formats.bundle_words import MAX_SHOWN
from fabula.formats.ontology_file import read_ontology
from fabula.formats.safe_yaml import read_yaml
from fabula.model.fiction import FICTION
from formats.library import LIBRARY, document, employed, messages, messages_of_file, reference

WORDS = {
    "nothing": ([document("doc-001"), reference("doc-001", "doc-002")], []),
    "a missing identity": (
        [document(f"doc-{number}") for number in range(4)] + [{"type": "Document", "content": "x"}],
        ['Validation error at [4].doc_uri: "doc_uri" is required'],
    ),
    "an unknown type, by meaning": (
        [{"type": "Human"}],
        ["Entity type 'Human' is not defined. Did you mean 'Person'?"],
    ),
    "an unknown type, by spelling": (
        [{"type": "organization"}],
        ["Entity type 'organization' is not defined. Did you mean 'Organisation'?"],
    ),
    "an unknown type, in Chinese": (
        [{"type": "文档"}],
        ["Entity type '文档' is not defined. Did you mean 'Document'?"],
    ),
    "an unknown type, like nothing": ([{"type": "Zzz"}], ["Entity type 'Zzz' is not defined."]),
    "an unknown edge": (
        [reference("a", "b") | {"type": "REFRENCES"}],
        ["Relation type 'REFRENCES' is not defined. Did you mean 'REFERENCES'?"],
    ),
    "a nested place": (
        [document("a"), document("b"), employed("nobody", "ACME-001")],
        ['Validation error at [2].source.email: "email" must be a valid email; found the text "nobody"'],
    ),
    "a missing nested identity": (
        [employed("a@example.com", "ACME-001") | {"source": {}}],
        ['Validation error at [0].source.email: "email" is required'],
    ),
    "a property too many": (
        [document("a", contnt="x")],
        [
            'Validation error at [0].contnt: "contnt" is not a property of '
            "'Document'. Did you mean 'content'?"
        ],
    ),
    "a property too many at an end": (
        [employed("a@example.com", "ACME-001") | {"source": {"email": "a@example.com", "x.y": 1}}],
        ['Validation error at [0].source["x.y"]: "x.y" is not a property of \'Person\''],
    ),
    "a wrong type": (
        [document("a", pages="many")],
        ['Validation error at [0].pages: "pages" must be an integer; found the text "many"'],
    ),
    "a wrong type in a list": (
        [document("a", tags=["x", ["y"]])],
        ['Validation error at [0].tags[1]: "tags[1]" must be a string; found a list'],
    ),
    "a word outside the list": (
        [document("a", status="drafft")],
        [
            'Validation error at [0].status: "status" must be one of "draft", "final", "withdrawn"; '
            "found the text \"drafft\". Did you mean 'draft'?"
        ],
    ),
    "a number too small": (
        [document("a", pages=0)],
        ['Validation error at [0].pages: "pages" must be at least 1; found the number 0'],
    ),
    "a pattern": (
        [{"type": "Organisation", "org_code": "acme"}],
        [
            'Validation error at [0].org_code: "org_code" must match ^[A-Z]{2,5}-[0-9]{3}$; '
            'found the text "acme"'
        ],
    ),
    "twice in a list": (
        [document("a", tags=["x", "x"])],
        ['Validation error at [0].tags: "tags" must not have an item twice; found a list'],
    ),
    "an action": (
        [document("a", action="remove")],
        [
            'Validation error at [0].action: "action" must be one of "upsert", "delete"; '
            'found the text "remove"'
        ],
    ),
    "no mapping": (
        ["x", None, []],
        [
            'Validation error at [0]: an item must be a mapping with "type"; found the text "x"',
            'Validation error at [1]: an item must be a mapping with "type"; found nothing (null)',
            'Validation error at [2]: an item must be a mapping with "type"; found an empty list',
        ],
    ),
    "no type": ([{"doc_uri": "a"}], ['Validation error at [0].type: "type" is required']),
    "a type that is no text": (
        [{"type": 5}],
        ['Validation error at [0].type: "type" must be a string; found the number 5'],
    ),
    "an end of the wrong type": (
        [reference("a", "b") | {"source": {"type": "Person", "email": "a@example.com"}}],
        ["Validation error at [0].source.type: 'REFERENCES' cannot begin at 'Person', only at 'Document'"],
    ),
    "an end that is no mapping": (
        [reference("a", "b") | {"source": "a"}],
        ['Validation error at [0].source: "source" must be a mapping; found the text "a"'],
    ),
    "a node related to itself": (
        [reference("a", " A ")],
        ["Validation error at [0].target: 'REFERENCES' cannot join a node to itself"],
    ),
    "a blank identity": (
        [document(" ")],
        ['Validation error at [0].doc_uri: "doc_uri" must not be blank or hold control characters'],
    ),
    "NUL": (
        [document("a", content="x\x00")],
        ["Validation error at [0].content: must not contain NUL or lone surrogate characters"],
    ),
    "a lone surrogate": (
        [document("a", tags=["x", "\ud800"])],
        ["Validation error at [0].tags[1]: must not contain NUL or lone surrogate characters"],
    ),
    "a lone surrogate where the identity is missing": (
        [
            {"type": "Document", "content": "\ud800"},
            employed("a@example.com", "ACME-001") | {"source": {"\ud800": 1}},
        ],
        [
            "Validation error at [0].content: must not contain NUL or lone surrogate characters",
            'Validation error at [1].source["\\ud800"]: must not contain NUL or lone surrogate characters',
        ],
    ),
    "the same twice with other content": (
        [document("doc-001"), document("b"), document("DOC-001 ", pages=3)],
        [
            "Validation error at [2]: the same 'Document' {doc_uri: \"DOC-001\"} appears at [0] "
            "with different content"
        ],
    ),
    "kept and deleted at once": (
        [document("a"), {"type": "Document", "action": "delete", "doc_uri": "a"}],
        [
            "Validation error at [1]: the same 'Document' {doc_uri: \"a\"} appears at [0] "
            "with different content"
        ],
    ),
    "the same edge twice with other content": (
        [reference("a", "b"), reference("a", "b", ref_type="citation")],
        [
            "Validation error at [1]: the same 'REFERENCES' between these two appears at [0] "
            "with different content"
        ],
    ),
    "the same twice with the same content": ([document("a"), document("a", action="upsert")], []),
    "a deletion needs the identity alone": ([{"type": "Document", "action": "delete", "doc_uri": "a"}], []),
    "a deletion needs the identity": (
        [{"type": "Document", "action": "delete"}],
        ['Validation error at [0].doc_uri: "doc_uri" is required'],
    ),
}


@pytest.mark.parametrize(("data", "told"), WORDS.values(), ids=WORDS)
def test_the_words_for_what_is_wrong(data: list[Any], told: list[str]) -> None:
    assert messages(data) == told


@pytest.mark.parametrize("data", [None, {}, "- type: Document", 5, {"type": "Document"}])
def test_a_bundle_is_a_list(data: Any) -> None:
    found = bundle_check(data, LIBRARY)
    assert (found.count, found.errors[0].index, found.errors[0].path) == (1, None, "")
    assert found.errors[0].message.startswith("A bundle is a list of items; found ")


def test_all_errors_are_told_at_once_with_their_places() -> None:
    found = bundle_check(
        [{"type": "Document", "pages": 0, "emial": 1}, {"type": "Humn"}, employed("x", "y", position=5)],
        LIBRARY,
    )
    assert found.count == 8
    assert {(error.index, error.path) for error in found.errors} == {
        (0, "[0].doc_uri"),
        (0, "[0].content"),
        (0, "[0].pages"),
        (0, "[0].emial"),
        (1, "[1].type"),
        (2, "[2].position"),
        (2, "[2].source.email"),
        (2, "[2].target.org_code"),
    }


UNQUOTED = {
    "2026-01-01": 'the unquoted YAML date 2026-01-01 must be quoted: "2026-01-01"',
    "yes": 'the unquoted YAML boolean yes must be quoted: "yes"',
    "True": 'the unquoted YAML boolean True must be quoted: "True"',
    "007": 'the unquoted YAML number 007 must be quoted: "007"',
    "1e3": 'the unquoted YAML number 1e3 must be quoted: "1e3"',
    "1.50": 'the unquoted YAML number 1.50 must be quoted: "1.50"',
    "5": 'the unquoted YAML number 5 must be quoted: "5"',
    "12:30": 'the unquoted YAML time 12:30 must be quoted: "12:30"',
    "~": 'it is empty: write "" or leave it out',
    "": 'it is empty: write "" or leave it out',
}


@pytest.mark.parametrize(("text", "cure"), UNQUOTED.items())
def test_an_unquoted_word_in_a_field_for_text_is_named_with_the_cure(text: str, cure: str) -> None:
    item = "- {type: EMPLOYED_BY, source: {email: a@example.com}, target: {org_code: ACME-001}}\n"
    edge = item[:-2] + f", position: {text}}}\n"
    assert messages_of_file(edge) == [
        f'Validation error at [0].position: "position" must be a string; {cure}'
    ]


def test_an_unquoted_date_is_reported_as_in_the_contract() -> None:
    text = "- {type: Document, doc_uri: a, content: x}\n" * 3
    edge = (
        "- type: EMPLOYED_BY\n  source: {email: a@example.com}\n  target: {org_code: ACME-001}\n"
        "  since: 2026-01-01\n"
    )
    reading = read_yaml((text + edge).encode())
    (error,) = bundle_check(reading.value, LIBRARY, reading).errors
    assert error.message == (
        'Validation error at [3].since: "since" must be a string; '
        'the unquoted YAML date 2026-01-01 must be quoted: "2026-01-01"'
    )
    assert (error.index, error.path, error.suggestion, error.line) == (3, "[3].since", '"2026-01-01"', 4)


def test_an_unquoted_identity_is_named_at_the_end_of_an_edge_too() -> None:
    told = messages_of_file("- {type: REFERENCES, source: {doc_uri: 007}, target: {doc_uri: no}}\n")
    assert told == [
        'Validation error at [0].source.doc_uri: "doc_uri" must be a string; '
        'the unquoted YAML number 007 must be quoted: "007"',
        'Validation error at [0].target.doc_uri: "doc_uri" must be a string; '
        'the unquoted YAML boolean no must be quoted: "no"',
    ]


def test_a_doubtful_word_is_text_where_anything_is_taken() -> None:
    text = "- {type: Character, name: Ann, attributes: {born: 2026-01-01, bold: yes, code: 007}}\n"
    assert messages_of_file(text, FICTION) == []
    assert messages_of_file(text.replace("2026-01-01", "1e3"), FICTION) == []


def test_a_doubtful_word_where_no_text_is_asked_for_says_what_to_write() -> None:
    assert messages_of_file("- {type: Document, doc_uri: a, content: x, pages: 0012}\n") == [
        'Validation error at [0].pages: "pages" must be an integer; 0012 is taken for text, write 12'
    ]


def test_quoted_words_are_text() -> None:
    assert (
        messages_of_file('- {type: Document, doc_uri: "007", content: "yes", published: "2026-01-01"}\n')
        == []
    )


def test_output_is_bounded_and_counted() -> None:
    found = bundle_check([document(f"a{number}", pages=0, x=1) for number in range(MAX_SHOWN)], LIBRARY)
    assert (len(found.errors), found.count) == (MAX_SHOWN, 2 * MAX_SHOWN)
    huge = bundle_check([document("a", tags=[1] * 1_000_000, **{"x" * 100_000: "y" * 100_000})], LIBRARY)
    assert huge.count == 1
    assert sum(len(error.message) for error in found.errors + huge.errors) < 100_000


def test_duplicate_items_that_are_not_json_are_reported() -> None:
    ann = {"type": "Character", "name": "Ann", "attributes": {"a": 2**70}}
    told = messages([ann, ann, ann | {"description": "x"}], FICTION)
    assert [line.split(": ")[0] for line in told] == [
        *(f"Validation error at [{index}].attributes.a" for index in range(3)),
        "Validation error at [2]",
    ]


def test_depth_is_bounded() -> None:
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    (told,) = messages([{"type": "Character", "name": "Ann", "attributes": {"a": deep}}], FICTION)
    assert "nested deeper than 32 levels" in told


# Columns of entities and relations


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"significance": 2}, "[0].significance"),
        ({"aiContextLevel": "sometimes"}, "[0].aiContextLevel"),
        ({"since": {"scene": 1}}, "[0].since.chapter"),
        ({"since": {"chapter": -1}}, "[0].since.chapter"),
        ({"since": {"chapter": 4}, "until": {"chapter": 3}}, "[0].until"),
        ({"aliases": ["\u200b"]}, "[0].aliases[0]"),
        ({"aliases": ["x" * 257]}, "[0].aliases[0]"),
        ({"description": "x" * 65_537}, "[0].description"),
        ({"attributes": {"": 1}}, '[0].attributes[""]'),
        ({"attributes": {"a": "x" * 300_000}}, "[0].attributes.a"),
        ({"attributes": {"a": "x" * 150_000, "b": "x" * 150_000}}, "[0].attributes"),
        ({"attributes": {"a": 2**64}}, "[0].attributes.a"),
        ({"attributes": {"a": float("nan")}}, "[0].attributes.a"),
    ],
)
def test_columns_keep_their_limits_whatever_the_ontology_says(fields: dict[str, Any], path: str) -> None:
    found = bundle_check([{"type": "Character", "name": "Ann", **fields}], FICTION)
    assert [error.path for error in found.errors] == [path]


def test_several_possible_types_ask_for_one() -> None:
    edge = {"type": "KNOWS", "source": {"name": "Ann"}, "target": {"type": "Character", "name": "Bo"}}
    (told,) = messages([edge], FICTION)
    assert told.startswith('Validation error at [0].source.type: "type" is required, because several types')
    edge["source"] = {"type": "Charakter", "name": "Ann"}
    assert messages([edge], FICTION) == ["Entity type 'Charakter' is not defined. Did you mean 'Character'?"]


def test_an_edge_may_hold_twice_at_different_times() -> None:
    ends = {"source": {"type": "Character", "name": "Ann"}, "target": {"type": "Character", "name": "Bo"}}
    first = {"type": "ALLY", **ends, "until": {"chapter": 3}}
    again = {"type": "ALLY", **ends, "since": {"chapter": 7}}
    assert messages([first, again], FICTION) == []
    (told,) = messages([first, again, again | {"description": "x"}], FICTION)
    assert told.endswith("appears at [1] with different content")


COMPOSITE = read_ontology(
    b"""
nodes:
  Verse:
    identity: [book, number]
    schema:
      properties:
        book: {type: string}
        number: {type: integer}
        mood: {type: string}
        attributes: {type: object}
"""
)


def test_composite_identities_are_bounded_together_and_compared_by_value() -> None:
    verse = {"type": "Verse", "book": "b" * 200, "number": 3}
    assert messages([verse, verse | {"number": 3.0}], COMPOSITE) != []
    assert messages([verse | {"book": "b" * 256}], COMPOSITE) == [
        "Validation error at [0]: the identity must have at most 256 characters together"
    ]


def test_what_is_declared_does_not_hide_among_the_open_attributes() -> None:
    verse = {"type": "Verse", "book": "b", "number": 3, "attributes": {"mood": "x", "metre": "y"}}
    assert messages([verse], COMPOSITE) == [
        'Validation error at [0].attributes.mood: "mood" is declared: give it beside "type", '
        'not in "attributes"'
    ]


def test_types_may_be_named_in_chinese() -> None:
    chinese = read_ontology(
        "nodes:\n  人物: {identity: [姓名], schema: {properties: {姓名: {type: string}}}}\n"
        "edges:\n  师徒: {from: 人物, to: 人物}\n".encode()
    )
    assert messages([{"type": "人物", "姓名": "林远"}], chinese) == []
    assert messages([{"type": "人物们", "姓名": "林远"}], chinese) == [
        "Entity type '人物们' is not defined. Did you mean '人物'?"
    ]
    assert messages([{"type": "人物"}], chinese) == ['Validation error at [0].姓名: "姓名" is required']
