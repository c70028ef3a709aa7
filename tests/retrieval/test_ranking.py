"""Which passages and chapters answer a question."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.index.passages import PassageIndex
from fabula.retrieval.ranking import MAX_WORDS, USUAL, Ranking, Scoring, rank, varied

WORDS = ["storm", "storms", "harbour", "lamp", "Mara", "the", "who", "灯塔", "海", "雾", "quiet", "."]
lines = st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join)
instants = st.builds(lambda chapter, scene: (chapter << 20) | scene, st.integers(0, 3), st.integers(0, 3))
stories = st.dictionaries(instants, lines, max_size=10)
scorings = st.sampled_from(
    [USUAL, Scoring(lending=0.0), Scoring(pair=0.0), Scoring(chapter=2.0), Scoring(common=1.0)]
)


def compiled(story: dict[int, str]) -> PassageIndex:
    return PassageIndex((instant, "", text) for instant, text in story.items())


def told(ranking: Ranking, index: PassageIndex) -> tuple[dict[int, tuple[float, float]], dict[int, float]]:
    """Everything with a score: passages by instant, chapters by number."""
    scored = zip(
        index.in_order().instants.tolist(), ranking.scores.tolist(), ranking.shares.tolist(), strict=True
    )
    chapters = dict(zip(ranking.chapters.tolist(), ranking.chapter_scores.tolist(), strict=True))
    return {instant: (score, share) for instant, score, share in scored if score or share}, chapters


@settings(max_examples=examples(60))
@given(stories, lines, instants, scorings)
def test_what_is_told_later_changes_no_figure(
    story: dict[int, str], question: str, until: int, scoring: Scoring
) -> None:
    index = compiled(story)
    early = compiled({instant: text for instant, text in story.items() if instant <= until})
    masked = rank(index, question, allowed=index.in_order().up_to(until), scoring=scoring)
    assert told(masked, index) == told(rank(early, question, scoring=scoring), early)
    assert all(index.in_order().instants[row] <= until for row in masked.best(99))


@settings(max_examples=examples(60))
@given(stories, st.lists(st.tuples(instants, st.none() | lines), max_size=8), lines)
def test_an_index_that_followed_changes_ranks_as_one_built_anew(
    story: dict[int, str], changes: list[tuple[int, str | None]], question: str
) -> None:
    index = compiled(story)
    for instant, text in changes:
        rank(index, question)
        if text is None:
            index.drop(instant)
            story.pop(instant, None)
        else:
            index.put(instant, text)
            story[instant] = text
    anew = compiled(story)
    assert told(rank(index, question), index) == told(rank(anew, question), anew)


@given(stories, lines, st.integers(1, 12))
def test_scores_are_shares_and_the_best_come_first(story: dict[int, str], question: str, limit: int) -> None:
    index = compiled(story)
    ranking = rank(index, question)
    for scores in (ranking.scores, ranking.shares, ranking.chapter_scores):
        assert all(0 <= score <= 1 for score in scores.tolist())
    best = ranking.best(limit).tolist()
    assert best == sorted(best, key=lambda row: (-ranking.scores[row], row))
    assert set(best) >= {
        row for row in range(len(ranking.scores)) if best and ranking.scores[row] > ranking.scores[best[-1]]
    }
    mixed = varied(ranking, index.in_order(), limit).tolist()
    assert len(mixed) == len(best)
    assert len(set(mixed)) == len(mixed)
    assert mixed[:1] == [] or ranking.scores[mixed[0]] > 0


def test_nothing_is_found_where_nothing_is_asked_or_told() -> None:
    index = compiled({0: "The storm came."})
    for asked in ("", "who is the", "nobody knows"):
        assert rank(index, asked).best(9).tolist() == []
        assert rank(index, asked).best_chapters(9).tolist() == []
    assert rank(PassageIndex(), "storm").best(9).tolist() == []
    nothing = np.zeros(1, np.bool_)
    assert rank(index, "storm", allowed=nothing).best(9).tolist() == []


def first(story: dict[int, str], question: str, scoring: Scoring = USUAL) -> int:
    index = compiled(story)
    return int(index.in_order().instants[rank(index, question, scoring=scoring).best(1)[0]])


def test_endings_do_not_matter() -> None:
    assert first({0: "A lamp.", 1: "They married in spring."}, "Who marries?") == 1


def test_chinese_is_found_by_single_characters_too() -> None:
    assert first({0: "他点起了灯。", 1: "海上起雾。"}, "谁在看雾？") == 1


def test_a_line_borrows_the_words_of_the_line_before_it() -> None:
    chat = {
        0: "Ann: What colour was the boat in Ostend?",
        1: "Ben: Green with a white stripe, the boat of my uncle.",
        1 << 20: "Ann: A boat.",
        2 << 20: "Ben: The boat is gone.",
        3 << 20: "Ann: Hm.",
    }
    index = compiled(chat)
    with_lending = rank(index, "colour of the boat in Ostend")
    without = rank(index, "colour of the boat in Ostend", scoring=Scoring(lending=0.0, chapter=0.0))
    assert with_lending.best(2).tolist() == [0, 1]
    assert with_lending.scores[1] > without.scores[1]


def test_words_side_by_side_count_more_than_words_far_apart() -> None:
    filler = "and then nothing happened for a long while " * 4
    story = {0: f"A red thing. {filler} A lamp.", 1 << 20: f"A thing. {filler} A red lamp."}
    assert first(story, "the red lamp") == 1 << 20
    assert first(story, "the red lamp", Scoring(pair=0.0)) == 0


def test_a_chapter_that_is_about_it_lifts_its_passages() -> None:
    story = {0: "The ferry waits."} | {(1 << 20) | scene: f"Ferry talk, part {scene}." for scene in range(4)}
    index = compiled(story)
    ranking = rank(index, "ferry")
    assert ranking.best_chapters(1).tolist() == [1]
    assert ranking.best(1).tolist() != [0]
    alone = rank(index, "waits ferry", scoring=replace(USUAL, chapter=0.0))
    assert alone.best(1).tolist() == [0]


def test_likeness_finds_what_shares_no_word() -> None:
    index = compiled({0: "A gale blew.", 1 << 20: "Tea was served.", 2 << 20: "They slept."})
    likeness = np.array([0.8, 0.1, 0.2])
    ranking = rank(index, "bad weather", likeness=likeness)
    assert ranking.best(1).tolist() == [0]
    assert ranking.best_chapters(1).tolist() == [0]
    assert rank(index, "tea", likeness=likeness).best(1).tolist() == [1]


def test_a_varied_choice_begins_with_one_passage_of_each_of_the_best_chapters() -> None:
    story = {
        (chapter << 20) | scene: f"The lamp, {'lamp, ' * (4 - chapter)}{scene}."
        for chapter in range(3)
        for scene in range(5)
    }
    index = compiled(story)
    ranking = rank(index, "lamp")
    order = index.in_order()
    assert set(order.chapters[ranking.best(3)].tolist()) == {0}
    mixed = varied(ranking, order, 9)
    assert order.chapters[mixed[:3]].tolist() == [0, 1, 2]
    assert sorted(mixed.tolist()) == sorted(set(mixed.tolist()))


@given(stories, lines, st.integers(1, 12), st.integers(0, 12))
def test_a_shorter_answer_is_the_beginning_of_a_longer_one(
    story: dict[int, str], question: str, limit: int, more: int
) -> None:
    index = compiled(story)
    ranking, order = rank(index, question), index.in_order()
    longer = varied(ranking, order, limit + more).tolist()
    assert varied(ranking, order, limit).tolist() == longer[:limit]


def test_of_a_page_those_words_are_looked_for_that_say_most() -> None:
    page = " ".join(f"word{number}" for number in range(300)) + " lantern lantern"
    story = {number << 20: f"Nothing but word{number}." for number in range(300)} | {300 << 20: "A lantern."}
    found = rank(compiled(story), page)
    assert 300 in found.best(999).tolist()
    assert len(found.best(999)) == MAX_WORDS
