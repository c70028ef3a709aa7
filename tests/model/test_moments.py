"""Moments and periods in their order, and the order of secrecy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from fabula.model.level import AiContextLevel, may_be_told, stricter
from fabula.model.moment import FOREVER, MAX_CHAPTER, MAX_SCENE, Moment, first_instant, last_instant
from fabula.model.relation import Period

chapters = st.integers(0, 5) | st.just(MAX_CHAPTER)
scenes = st.none() | st.integers(0, 5) | st.just(MAX_SCENE)
moments = st.builds(Moment, chapter=chapters, scene=scenes)
levels = st.sampled_from(AiContextLevel)


@given(moments, moments)
def test_moments_sort_by_chapter_then_scene(one: Moment, other: Moment) -> None:
    beginning = (one.chapter, one.scene or 0) < (other.chapter, other.scene or 0)
    assert (first_instant(one) < first_instant(other)) is beginning


@given(moments)
def test_a_moment_begins_before_it_ends_and_within_all_time(moment: Moment) -> None:
    assert first_instant(None) < first_instant(moment) <= last_instant(moment) < last_instant(None) == FOREVER


@given(st.integers(0, 5), st.integers(0, MAX_SCENE))
def test_a_chapter_as_an_end_holds_all_its_scenes(chapter: int, scene: int) -> None:
    whole, inside = Moment(chapter=chapter), Moment(chapter=chapter, scene=scene)
    assert first_instant(whole) <= first_instant(inside) <= last_instant(inside) <= last_instant(whole)
    assert last_instant(whole) < first_instant(Moment(chapter=chapter + 1))


@given(st.none() | moments, st.none() | moments)
def test_a_period_goes_forward(since: Moment | None, until: Moment | None) -> None:
    begins = (-1, 0) if since is None else (since.chapter, since.scene or 0)
    ends = (
        (MAX_CHAPTER + 1, 0)
        if until is None
        else (until.chapter, MAX_SCENE if until.scene is None else until.scene)
    )
    if begins <= ends:
        assert Period(since=since, until=until).since == since
    else:
        with pytest.raises(ValidationError, match="until lies before since"):
            Period(since=since, until=until)


@pytest.mark.parametrize(
    "moment",
    [
        {"chapter": -1},
        {"chapter": MAX_CHAPTER + 1},
        {"chapter": 0, "scene": MAX_SCENE + 1},
        {"chapter": 0, "scene": -1},
        {"chapter": "1"},
        {"chapter": 1.0},
        {"chapter": True},
        {"chapter": 1, "act": 2},
        {},
    ],
)
def test_what_is_no_moment(moment: object) -> None:
    with pytest.raises(ValidationError):
        Moment.model_validate(moment)


@given(levels, levels)
def test_the_stricter_level_tells_no_more_than_either(kept: AiContextLevel, other: AiContextLevel) -> None:
    joined = stricter(kept, other)
    assert joined in (kept, other)
    for named in (False, True):
        told = may_be_told(kept, named=named) and may_be_told(other, named=named)
        assert may_be_told(joined, named=named) is told
