"""Whatever is sent, every answer is one that the OpenAPI document tells of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext, suppress
from itertools import cycle
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from effort import examples
from fabula.api.app import create_app
from fabula.api.guard import LOCAL_NAMES
from fabula.canon.entry_values import LorebookEntryCreate
from fabula.errors import GraphUnavailable, LlmUnavailable, NotFound
from fabula.memory import Memory
from fabula.operations.lorebook import entries as lorebook
from fabula.operations.manuscript import manuscript
from postgres import place_at

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]
STORY = "the-story"
# A stream that has no end cannot be held against a schema.
ENDLESS = "/live"
# No model is set up here, no graph server either, and nobody does the jobs.
LACKING = (LlmUnavailable.status, GraphUnavailable.status)


def bounded(number: int) -> settings:
    return settings(
        max_examples=number,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


@pytest.fixture(scope="module")
def memory_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory(place_at(tmp_path_factory.mktemp("contract") / "fabula.db")) as opened:
        yield opened


@pytest.fixture(scope="module")
def document(memory_of_all: Memory) -> Any:
    app = create_app(memory_of_all, version="0", hosts=(*LOCAL_NAMES, "testserver"))
    return schemathesis.openapi.from_asgi("/api/v2/openapi.json", app)


def known_ids(memory: Memory) -> dict[str, str]:
    """The parts of addresses that lead somewhere, in a story that has something of everything."""
    call, story = memory.call(), memory.story("契约", id=STORY)
    found = story.entity.list().items
    if not found:
        lin = story.entity.create(type="character", name="林逸", aliases=["小逸"], description="剑修。")
        su = story.entity.create(type="character", name="苏瑶")
        story.relation.create(source_entity_id=lin.id, target_entity_id=su.id, relation_type="ally")
    key = "剑道九境"
    try:
        entry = lorebook.read_entry_of_key(call, project_id=STORY, entry_key=key)
    except NotFound:
        request = LorebookEntryCreate(entry_key=key, content="九个境界。", category="concept")
        entry = lorebook.create_entry(call, project_id=STORY, entry=request)
    manuscript.put_scene(call, project_id=STORY, chapter=0, scene=0, text="林逸来了。")
    manuscript.put_snapshot(call, project_id=STORY, chapter_index=0, scene_index=0, summary="林逸来了。")
    relations = story.relation.list().items
    waiting = story.proposals() or story.propose({"entity_name": "玄天", "entity_type": "item"}).extractions
    return {
        "storyId": STORY,
        "entryId": entry.id,
        "entryKey": key,
        "relationshipId": relations[0].id if relations else "none",
        "extractionId": waiting[0].id if waiting else "none",
        "chapter": "0",
        "scene": "0",
    }


def led_somewhere(case: Any, known: dict[str, str]) -> None:
    """Point a call at what exists."""
    for name in case.path_parameters or {}:
        if name in known:
            case.path_parameters[name] = known[name]
    if isinstance(case.body, dict) and "projectId" in case.body:
        case.body["projectId"] = STORY


def every_answer_is_told_of(
    document: Any, memory: Memory, number: int, modes: list[GenerationMode]
) -> dict[int, int]:
    """How often each status came."""
    seen: dict[int, int] = {}
    real = cycle((True, False))
    known: dict[str, str] = {}
    for result in document.get_all_operations():
        operation = result.ok()
        if operation.path.endswith(ENDLESS):
            continue
        for mode in modes:

            @bounded(number)
            @given(operation.as_strategy(generation_mode=mode))
            def answers(case: Any) -> None:
                if next(real):
                    known.update({} if known else known_ids(memory))
                    led_somewhere(case, known)
                response = case.call()
                seen[response.status_code] = seen.get(response.status_code, 0) + 1
                if case.method != "GET" and response.status_code < 400:  # who was there may be gone
                    known.clear()
                is_lacking = response.status_code in LACKING
                case.validate_response(response, checks=CHECKS[1:] if is_lacking else CHECKS)

            # Nothing can be wrong about a call that takes nothing.
            with suppress(Unsatisfiable) if mode is GenerationMode.NEGATIVE else nullcontext():
                answers()
    return seen


@pytest.mark.long
def test_no_answer_is_a_surprise(document: Any, memory_of_all: Memory) -> None:
    rest = document.exclude(path_regex="/ipc/")
    seen = every_answer_is_told_of(rest, memory_of_all, 2, [GenerationMode.POSITIVE])
    assert {200, 201, 204, 404} <= set(seen)


@pytest.mark.slow
def test_no_answer_is_a_surprise_at_length(document: Any, memory_of_all: Memory) -> None:
    """The examples are the same each time; more of them with `TEST_EFFORT=5`."""
    seen = every_answer_is_told_of(document, memory_of_all, examples(12), list(GenerationMode))
    assert {200, 201, 204, 400, 404} <= set(seen)


def test_errors_are_told_of_where_they_can_come(document: Any) -> None:
    told = {
        (path, method): set(described["responses"])
        for path, methods in document.raw_schema["paths"].items()
        for method, described in methods.items()
        if "/ipc/" not in path
    }
    book = "/api/v2/stories/{storyId}/lorebook"
    assert told[book, "post"] >= {"201", "400", "401", "403", "404", "409", "413"}
    assert told[book, "get"] >= {"200", "400", "401", "403", "404"}
    assert told[book + "/{entryId}", "delete"] >= {"204", "401", "403", "404"}
    assert all("422" not in statuses and "default" not in statuses for statuses in told.values())
