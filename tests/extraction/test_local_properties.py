from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.extraction.local import LocalExtractor
from fabula.extraction.port import KnownEntity
from fabula.extraction.quotation import MAX_LETTERS, MAX_QUOTATION
from fabula.model.names import name_key
from fabula.model.proposal import Draft, ProposalKind
from fabula.model.relation import Language

EXTRACTOR = LocalExtractor(threshold=0.0)

NAMES = (
    "林惊羽",
    "苏瑶",
    "欧阳锋",
    "青云宗",
    "寒霜剑",
    "艾丽丝·李",
    "Elara Voss",
    "Mr. Thorne",
    "Harrowgate",
    "O'Hara",
)
WORDS = (
    "说道",
    "：“",
    "”",
    "，",
    "。",
    "的师父",
    "看着",
    "在",
    "走了",
    "\n",
    " said ",
    " and ",
    "'s sister, ",
    " in ",
    ". ",
    '"',
)

prose = st.lists(st.sampled_from(NAMES + WORDS), max_size=40).map("".join)
anything = st.text(max_size=200)
known_names = st.lists(
    st.builds(
        KnownEntity, st.sampled_from(NAMES), st.sampled_from(("character", "location", "faction", "item"))
    ),
    max_size=4,
    unique_by=lambda one: name_key(one.name),
)
languages: st.SearchStrategy[Language] = st.sampled_from(("zh", "en"))


@settings(max_examples=examples(60), deadline=None)
@given(st.one_of(prose, anything), known_names, languages)
def test_every_draft_quotes_the_text_where_it_says(
    text: str, known: list[KnownEntity], language: Language
) -> None:
    for draft in EXTRACTOR.extract(text, known, language):
        assert draft.source_start is not None
        assert text[draft.source_start : draft.source_end] == draft.source_text
        is_chinese = any("\u3400" <= character <= "\u9fff" for character in draft.source_text)
        assert len(draft.source_text) <= (MAX_QUOTATION if is_chinese else MAX_LETTERS)
        assert 0 <= draft.confidence <= 1


@settings(max_examples=examples(60), deadline=None)
@given(st.one_of(prose, anything), known_names, languages)
@example("B\xa0À", [], "zh")
def test_mentions_stand_in_order_and_do_not_overlap(
    text: str, known: list[KnownEntity], language: Language
) -> None:
    mentions = EXTRACTOR.mentions(text, known, language)

    # A blank of any kind and a broken line inside a name are one blank of the name.
    assert all(" ".join(text[m.start : m.end].split()) == " ".join(m.text.split()) for m in mentions)
    assert all(one.end <= other.start for one, other in pairwise(mentions))


@settings(max_examples=examples(60), deadline=None)
@given(prose, known_names, languages)
def test_known_names_are_never_proposed(text: str, known: list[KnownEntity], language: Language) -> None:
    theirs = {name_key(one.name) for one in known}

    proposed = [d for d in EXTRACTOR.extract(text, known, language) if d.kind is ProposalKind.ENTITY]

    assert not theirs & {name_key(name) for draft in proposed for name in draft.names}


@settings(max_examples=examples(30), deadline=None)
@given(prose, known_names, languages)
def test_the_same_text_gives_the_same_drafts(text: str, known: list[KnownEntity], language: Language) -> None:
    first: list[Draft] = EXTRACTOR.extract(text, known, language)

    assert EXTRACTOR.extract(text, known, language) == first
