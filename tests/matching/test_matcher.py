from collections.abc import Hashable, Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest

from fabula.matching import Hit, Matcher, Term


def name(text: str, owner: Hashable | None = None, **flags: bool) -> Term:
    return Term(text, text if owner is None else owner, "name", **flags)


def found(matcher: Matcher, text: str) -> list[tuple[Hashable, str]]:
    return [(hit.owner, text[hit.start : hit.end]) for hit in matcher.find(text)]


def owners(terms: Iterable[Term], text: str, simplify: bool = False) -> list[Hashable]:
    return [hit.owner for hit in Matcher(terms, simplify=simplify).find(text)]


def test_longest_match_wins_in_chinese() -> None:
    matcher = Matcher([name("青云"), name("青云宗"), name("林逸")])
    assert found(matcher, "林逸走进青云宗，青云二字") == [
        ("林逸", "林逸"),
        ("青云宗", "青云宗"),
        ("青云", "青云"),
    ]


def test_hit_carries_place_term_and_kind() -> None:
    matcher = Matcher([Term("Alice", 7, "alias")])
    assert matcher.find("😀 dear ＡＬＩＣＥ!") == [Hit(7, "Alice", "alias", 7, 12)]


def test_leftmost_wins_over_a_longer_overlapping_one() -> None:
    assert owners([name("甲乙"), name("乙丙丁")], "甲乙丙丁") == ["甲乙"]


def test_find_all_keeps_what_overlaps() -> None:
    matcher = Matcher([name("青云"), name("青云宗"), name("云宗主")])
    assert [hit.owner for hit in matcher.find_all("青云宗主")] == ["青云宗", "青云", "云宗主"]


def test_whole_words() -> None:
    terms = [name("Al"), name("art"), name("Area 5")]
    assert owners(terms, "Also, the party in Area 51") == []
    assert owners(terms, "Al's art: Area 5.") == ["Al", "art", "Area 5"]


def test_no_whole_word_lets_the_shorter_be_found() -> None:
    assert owners([name("new york"), name("new")], "a new yorker") == ["new"]


def test_possessive_and_neighbours_of_other_scripts() -> None:
    matcher = Matcher([name("Alice"), name("철수"), name("O'Brien")])
    for text in ("Alice's", "Alice’s", "她说Alice来了", "Alice는", "_Alice_"):
        assert found(matcher, text) == [("Alice", "Alice")]
    assert found(matcher, "철수는 O’Brien") == [("철수", "철수"), ("O'Brien", "O’Brien")]


def test_ends_that_are_no_word_characters_need_no_boundary() -> None:
    assert owners([name("C++"), name("-san")], "C++17 Bob-san") == ["C++", "-san"]


def test_substring_when_asked() -> None:
    assert owners([name("wolf", whole_word=False)], "werewolfish") == ["wolf"]
    assert owners([name("wolf", whole_word=True)], "werewolfish") == []


def test_case_sensitive() -> None:
    terms = [name("Will", "person", case_sensitive=True), name("will", "verb")]
    assert owners(terms, "will") == ["verb"]
    assert owners(terms, "Will") == ["person", "verb"]
    assert owners(terms, "ＷＩＬＬ") == ["verb"]
    assert owners(terms, "Ｗｉｌｌ") == ["person", "verb"]


def test_case_sensitive_over_other_folding() -> None:
    term = name("Mary  Jane", case_sensitive=True)
    assert owners([term], "Mary\nJane") == ["Mary  Jane"]
    assert owners([term], "mary Jane") == []
    assert owners([name("A云", case_sensitive=True)], "A雲 a雲", simplify=True) == ["A云"]


def test_owners_share_a_name() -> None:
    matcher = Matcher([name("Rose", 1), Term("rose", 2, "keyword"), Term("ROSE", 3, "alias")])
    assert matcher.find("a rose") == [
        Hit(1, "Rose", "name", 2, 6),
        Hit(3, "ROSE", "alias", 2, 6),
        Hit(2, "rose", "keyword", 2, 6),
    ]


def test_an_owner_is_reported_once_at_a_place() -> None:
    matcher = Matcher([Term("rose", 1, "keyword"), Term("Rose", 1, "name")])
    assert matcher.find("rose") == [Hit(1, "Rose", "name", 0, 4)]


def test_expansion_maps_back() -> None:
    matcher = Matcher([name("Strauß"), name("Fiona")])
    text = "STRAUSS, Strauß und \ufb01ona."
    assert found(matcher, text) == [("Strauß", "STRAUSS"), ("Strauß", "Strauß"), ("Fiona", "\ufb01ona")]


def test_no_hit_on_half_a_character() -> None:
    terms = [name("s", whole_word=False), name("e", whole_word=False)]
    assert owners(terms, "ß e\u0302\u0323 x\u0302") == []
    assert owners([name("x", whole_word=False)], "x\u0302") == []


def test_combining_marks_in_text_and_term() -> None:
    matcher = Matcher([name("René"), name("Zoe\u0308")])
    assert found(matcher, "Rene\u0301 Zoë Rene") == [("René", "Rene\u0301"), ("Zoe\u0308", "Zoë")]


def test_emoji_and_astral_names() -> None:
    matcher = Matcher([name("❤"), name("𠮷田"), name("👩\u200d🚀")])
    assert found(matcher, "❤\ufe0f𠮷田👩\u200d🚀") == [
        ("❤", "❤\ufe0f"),
        ("𠮷田", "𠮷田"),
        ("👩\u200d🚀", "👩\u200d🚀"),
    ]


def test_simplified_and_traditional_only_when_asked() -> None:
    terms = [name("青云宗", "s"), name("龍門", "t")]
    assert owners(terms, "青雲宗在龙门") == []
    assert owners(terms, "青雲宗在龙门", simplify=True) == ["s", "t"]


def test_line_breaks_and_spaces_inside_a_name() -> None:
    matcher = Matcher([name(" New  York ")])
    for written in ("New York", "new\nyork", "New \r\n  York", "New\u3000York", "New\xa0York"):
        assert found(matcher, f"In {written}.") == [(" New  York ", written)]
    assert matcher.find("New\n\nYork") == []


def test_empty_terms_are_ignored() -> None:
    matcher = Matcher([name(""), name(" \n"), name("\ufe0f")])
    assert matcher.find("a \n\n b\ufe0f") == []
    assert matcher.find("") == []


def test_replace_adds_changes_and_removes() -> None:
    matcher = Matcher([name("Alice", 1), name("Bob", 2)])
    matcher.replace(3, [name("Alice", 3)])
    matcher.replace(2, [name("Robert", 2)])
    assert [h.owner for h in matcher.find("Alice, Bob, Robert")] == [1, 3, 2]
    matcher.replace(1, [])
    matcher.replace(99, [])
    assert [h.owner for h in matcher.find("Alice, Bob, Robert")] == [3, 2]
    matcher.replace(1, [name("Bob", 1)])
    assert [h.owner for h in matcher.find("Alice, Bob, Robert")] == [3, 1, 2]


def test_replace_refuses_terms_of_another() -> None:
    with pytest.raises(ValueError, match="cannot be set"):
        Matcher().replace(1, [name("Alice", 2)])


@pytest.mark.long
def test_changes_are_compacted_and_stay_found() -> None:
    matcher = Matcher([name(f"old{i}", i) for i in range(100)])
    bases = set()
    for i in range(1500):
        matcher.replace(i, [name(f"new{i}", i)])
        matcher.refresh()
        bases.add(matcher._built.base)
        assert matcher._built.later.size <= 512
    assert len(bases) == 3
    assert [h.owner for h in matcher.find("old5 new5 new700 new1499")] == [5, 700, 1499]


def test_changing_one_owner_again_and_again_is_no_growth() -> None:
    matcher = Matcher([name("Alice", 1)])
    base = matcher._built.base
    for i in range(2000):
        matcher.replace(1, [name(f"a{i}", 1)])
    assert found(matcher, "a1999 a1998 Alice") == [(1, "a1999")]
    assert matcher._built.base is base


@pytest.mark.long
def test_threads_share_a_matcher() -> None:
    matcher = Matcher([name(f"old{i}", i) for i in range(50)])

    def change_and_look(i: int) -> list[Hashable]:
        matcher.replace(i, [name(f"new{i}", i)])
        return [hit.owner for hit in matcher.find(f"old{i} new{i}")]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(change_and_look, range(1200))) == [[i] for i in range(1200)]
    assert [h.owner for h in matcher.find("new0 new600 new1199")] == [0, 600, 1199]
