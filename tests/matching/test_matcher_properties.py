"""The matcher against a slow and obvious one."""

import re
import unicodedata
from itertools import pairwise
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from fabula.matching import Hit, Matcher, Term, fold, is_word_char, matcher

# Few characters, so that terms are found, overlap and share their folded form.
LETTERS = "aAbＡß\ufb01s'’青云雲宗 \n1é\u0301😀한\ufe0f"
texts = st.text(st.sampled_from(LETTERS), max_size=25)
short = st.text(st.sampled_from(LETTERS), max_size=4)
terms = st.builds(
    Term,
    text=short,
    owner=st.integers(0, 3),
    kind=st.sampled_from(["name", "alias", "keyword"]),
    case_sensitive=st.booleans(),
    whole_word=st.sampled_from([None, True, False]),
)
term_lists = st.lists(terms, max_size=10)

SAME = {"’": "'", "\ufe0f": ""}
SIMPLER = {"雲": "云"}
RANK = ["name", "alias", "keyword"]


def clusters(text: str) -> list[str]:
    """The indivisible parts: a character with its marks, or a run of white space that counts as one."""
    parts: list[str] = []
    for part in re.findall(r"\s+|\S[\u0301\ufe0f]*", text):
        if part.isspace() and part.count("\n") > 1:
            parts.extend(part)
        else:
            parts.append(part)
    return parts


def plain(part: str, simplify: bool, keep_case: bool) -> str:
    if part.isspace():
        return " "
    part = unicodedata.normalize("NFKC", part)
    part = part if keep_case else unicodedata.normalize("NFKC", part.casefold())
    return "".join(SIMPLER.get(c, c) if simplify else c for c in (SAME.get(c, c) for c in part))


def all_plain(text: str, simplify: bool, keep_case: bool = False) -> str:
    return "".join(plain(part, simplify, keep_case) for part in clusters(text))


def stands(text: str, start: int, end: int, term: Term, simplify: bool) -> bool:
    """Whether the term stands at this place, whose ends are ends of parts."""
    wanted = " ".join(term.text.split())
    here = text[start:end]
    pattern = all_plain(wanted, simplify).strip(" ")
    if not pattern or all_plain(here, simplify) != pattern:
        return False
    if term.case_sensitive and all_plain(here, simplify, True) != all_plain(wanted, simplify, True).strip(
        " "
    ):
        return False
    if term.whole_word is False:
        return True
    before, after = all_plain(text[:start], simplify), all_plain(text[end:], simplify)
    runs_in = bool(before) and is_word_char(before[-1]) and is_word_char(pattern[0])
    runs_on = bool(after) and is_word_char(after[0]) and is_word_char(pattern[-1])
    return not (runs_in or runs_on)


def obvious(text: str, terms: list[Term], simplify: bool) -> tuple[list[Hit], list[Hit]]:
    """What find and find_all should return."""
    ends = [0]
    for part in clusters(text):
        ends.append(ends[-1] + len(part))
    # A place neither begins nor ends with a part that folds to nothing.
    empty = [not plain(text[a:b], simplify, False) for a, b in pairwise(ends)]
    spans = [
        (ends[i], ends[j])
        for i in range(len(ends))
        for j in range(i + 1, len(ends))
        if not (empty[i] or empty[j - 1])
    ]
    best: dict[tuple[int, int, object], Term] = {}
    for start, end in spans:
        for term in sorted(terms, key=lambda t: (RANK.index(t.kind), t.text)):
            if stands(text, start, end, term, simplify):
                best.setdefault((start, end, term.owner), term)
    everything = [Hit(owner, t.text, t.kind, start, end) for (start, end, owner), t in best.items()]
    chosen: list[Hit] = []
    for hit in sorted(everything, key=lambda h: (h.start, -h.end)):
        if all(hit.start >= c.end or (hit.start, hit.end) == (c.start, c.end) for c in chosen):
            chosen.append(hit)
    return chosen, everything


def in_order(hits: list[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda h: (h.start, -h.end, RANK.index(h.kind), h.term, repr(h.owner)))


@settings(deadline=None)
@given(texts, term_lists, st.booleans(), st.integers(1, 30))
def test_agrees_with_the_obvious(text: str, terms: list[Term], simplify: bool, chunk: int) -> None:
    chosen, everything = obvious(text, terms, simplify)
    found = Matcher(terms, simplify=simplify)
    with patch.object(matcher, "_FIRST_CHUNK", chunk), patch.object(matcher, "_LONGEST_CHUNK", chunk):
        assert found.find(text) == in_order(chosen)
        assert found.find_all(text) == in_order(everything)


@settings(deadline=None)
@given(term_lists, st.lists(st.tuples(st.integers(0, 3), term_lists, texts), max_size=8), st.integers(0, 12))
def test_changed_is_as_good_as_new(
    first: list[Term], changes: list[tuple[int, list[Term], str]], kept: int
) -> None:
    current: dict[object, list[Term]] = {o: [t for t in first if t.owner == o] for o in range(4)}
    with patch.object(matcher, "_CHANGES_KEPT", kept):
        changed = Matcher(first)
        for owner, new, text in changes:
            current[owner] = [Term(t.text, owner, t.kind, t.case_sensitive, t.whole_word) for t in new]
            changed.replace(owner, current[owner])
            fresh = Matcher(term for terms in current.values() for term in terms)
            assert changed.find(text) == fresh.find(text)
            assert changed.find_all(text) == fresh.find_all(text)


@settings(deadline=None)
@given(st.text(max_size=40), st.lists(st.text(max_size=3), max_size=5), st.data(), st.booleans())
def test_every_hit_reads_like_its_term(
    text: str, words: list[str], data: st.DataObject, simplify: bool
) -> None:
    cut = data.draw(st.integers(0, len(text)))
    words.append(text[cut : cut + 3])
    found = Matcher((Term(w, i, "name", whole_word=False) for i, w in enumerate(words)), simplify=simplify)
    for hit in found.find_all(text):
        written, wanted = (
            fold(" ".join(s.split()), simplify=simplify).text for s in (text[hit.start : hit.end], hit.term)
        )
        assert written == wanted
