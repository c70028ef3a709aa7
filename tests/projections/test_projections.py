"""What every projection promises (`projection_contract`), held by each of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import projection_contract as contract
from any_story import STEPS
from effort import examples
from every_step import Step
from fabula.index.cache import StoryIndexes
from fabula.memory import Memory
from fabula.projections.embeddings import Vectors
from fabula.projections.live import LiveEvents
from fabula.projections.mirror import Mirror
from fabula.projections.projection import Projection
from fabula.projections.story_folders import StoryFolders
from fabula.store.changes import ALL_KINDS
from plain_embedder import PlainEmbedder
from projection_contract import EVERY_KIND, Kept, Look

QUICK = pytest.mark.parametrize("look", contract.QUICK, ids=lambda look: look.__name__)


def tried(times: int) -> settings:
    """So often, on stories of their own in one house."""
    checks = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=examples(times), suppress_health_check=checks)


@pytest.fixture
def mirrored(memory: Memory, tmp_path: Path, graph_uri: str) -> Iterator[Kept]:
    kept = contract.mirror(memory, tmp_path, graph_uri)
    yield kept
    kept.projection.close()


def test_every_kind_of_row_is_followed_or_waived_by_every_projection(memory: Memory) -> None:
    store = memory.call().store
    projections: tuple[Projection, ...] = (
        StoryIndexes(1),
        Vectors(store, PlainEmbedder()),
        StoryFolders(store, lambda story, title: pytest.fail("no folder is needed")),
        LiveEvents(store, lambda story, event: None),
    )
    for one in (*projections, Mirror):
        assert one.kinds.isdisjoint(one.waived), one.name
        assert one.kinds | one.waived == ALL_KINDS, one.name
    assert len({one.name for one in (*projections, Mirror)}) == 5


@pytest.mark.long
@QUICK
@pytest.mark.parametrize("at_once", [1, 4])
def test_what_follows_is_what_is_made_anew_for_every_kind_of_row(
    memory: Memory, tmp_path: Path, look: Look, at_once: int
) -> None:
    assert contract.follows(memory, look(memory, tmp_path, None), EVERY_KIND, at_once) == ALL_KINDS


@pytest.mark.slow
@QUICK
@tried(12)
@given(steps=STEPS, at_once=st.integers(1, 5))
def test_what_follows_is_what_is_made_anew_whatever_happens(
    memory: Memory, tmp_path: Path, look: Look, steps: list[Step], at_once: int
) -> None:
    contract.follows(memory, look(memory, tmp_path, None), steps, at_once)


@pytest.mark.slow
@QUICK
@tried(12)
@given(steps=STEPS, after=st.integers(0, 20))
@example(steps=EVERY_KIND, after=7)
def test_who_is_stopped_in_the_middle_goes_on_where_it_was(
    memory: Memory, tmp_path: Path, look: Look, steps: list[Step], after: int
) -> None:
    contract.outlasts(memory, look(memory, tmp_path, None), steps, after)


@pytest.mark.slow
@pytest.mark.every_engine
def test_the_mirror_follows_every_kind_of_row(memory: Memory, mirrored: Kept) -> None:
    assert contract.follows(memory, mirrored, EVERY_KIND, 3) == ALL_KINDS


@pytest.mark.slow
@pytest.mark.every_engine
@tried(6)
@given(steps=STEPS, after=st.integers(0, 20), at_once=st.integers(1, 5))
def test_the_mirror_follows_whatever_happens_and_when_it_is_stopped(
    memory: Memory, mirrored: Kept, steps: list[Step], after: int, at_once: int
) -> None:
    contract.follows(memory, mirrored, steps, at_once)
    contract.outlasts(memory, mirrored, steps, after)
