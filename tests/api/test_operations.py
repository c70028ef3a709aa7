"""One table of operations: every door is rows of it, and leads where it says."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from fastapi.routing import iter_route_contexts
from starlette.testclient import TestClient

from agents import Agent, in_process
from fabula.api.app import create_app
from fabula.api.mcp.prompts import PROMPTS
from fabula.api.mcp.tools import TOOLS
from fabula.api.rest.route import Route
from fabula.errors import FabulaError, Forbidden
from fabula.memory import Memory
from fabula.model.account import Identity, Role
from fabula.operations.accounts import add_user, create_token
from fabula.operations.catalogue import CHANNELS, OPERATIONS
from fabula.operations.members import put_member
from fabula.operations.table import Operation, run
from operation_doors import COMMANDS, PAGE, doors, operations_page, rest_rows
from postgres import place_at

# About the server itself, and the doors that lead to the table as a whole.
BESIDE = {
    "/api/v2/health",
    "/api/v2/ready",
    "/api/v2/page-token",
    "/api/v2/settings",
    "/api/v2/openapi.json",
    "/api/v2/ipc/{channel}",
    "/api/v2/ipc",
}
WORD = "not-a-number"


class Place(NamedTuple):
    """A server with a story, and who may do what with it."""

    memory: Memory
    client: TestClient
    tokens: dict[str, str]
    callers: dict[str, Identity]
    rows: list[Route]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with Memory(place_at(tmp_path_factory.mktemp("table") / "fabula.db")) as memory:
        memory.story("海港", id="port")
        tokens, callers = {}, {}
        for name in ("stranger", "reader", "editor", "owner"):
            add_user(memory.call(), name=name)
            tokens[name] = create_token(memory.call(), user_name=name).secret
            callers[name] = memory.identify(tokens[name])
            if name != "stranger":
                put_member(memory.call(), project_id="port", user_name=name, role=Role(name))
        app = create_app(memory, version="test", auth_required=True)
        with TestClient(app, base_url="http://127.0.0.1") as client:
            yield Place(memory, client, tokens, callers, rest_rows(app))


def all_rows() -> list[Route]:
    with Memory.throwaway() as memory:
        return rest_rows(create_app(memory, version="test"))


ROWS = all_rows()
OF_STORIES = [row for row in ROWS if "{storyId}" in row.path]
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.path}")
each_story_row = pytest.mark.parametrize("row", OF_STORIES, ids=lambda row: f"{row.method} {row.path}")
each_operation = pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)


def test_no_two_operations_share_a_name_and_every_name_is_a_noun_and_a_verb() -> None:
    assert all(name == operation.name and "." in name for name, operation in OPERATIONS.items())
    assert len({operation.channel for operation in OPERATIONS.values()} - {None}) == len(CHANNELS)


def test_every_address_below_api_is_a_row_of_the_table() -> None:
    with Memory.throwaway() as memory:
        app = create_app(memory, version="test")
        beside = {
            str(route.path)
            for route in iter_route_contexts(app.routes)
            if str(route.path).startswith("/api/v2")
            and not hasattr(getattr(route.original_route, "endpoint", None), "row")
        }
    assert beside - BESIDE == set()
    assert all(OPERATIONS[row.operation.name] is row.operation for row in ROWS)


def test_every_tool_and_prompt_is_a_row_of_the_table_for_models() -> None:
    for row in (*TOOLS.values(), *PROMPTS.values()):
        assert OPERATIONS[row.operation.name] is row.operation
        assert row.operation.audience == "model"


@each_operation
def test_every_operation_has_a_door_and_no_model_is_told_what_is_for_authors(
    operation: Operation[Any, Any],
) -> None:
    led = doors_of(operation)
    assert any(led.values()), f"nobody can ask {operation.name}"
    assert bool(led.get("MCP") or any(one.startswith("MCP") for one in led["other"])) is (
        operation.audience == "model"
    )
    assert operation.audience != "operator" or set(filter(led.get, led)) == {"CLI"}


def doors_of(operation: Operation[Any, Any]) -> dict[str, list[str]]:
    if not _LED:
        _LED.update(doors())
    return _LED[operation.name]


_LED: dict[str, dict[str, list[str]]] = {}


@each_operation
def test_run_asks_for_the_role_whatever_the_door(place: Place, operation: Operation[Any, Any]) -> None:
    if operation.role is None:
        return
    fields = dict.fromkeys(operation.request.model_fields)
    request = operation.request.trusted(**{**fields, "project_id": "port"})
    below = {Role.READER: "stranger", Role.EDITOR: "reader", Role.OWNER: "editor"}[operation.role]
    with pytest.raises(Forbidden):
        run(operation, place.memory.call(place.callers[below]), request)


@each_story_row
def test_an_address_reaches_its_operation_and_no_other(
    place: Place, row: Route, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "fabula.calls"):
        answer = send(place, row, "stranger")
    assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")
    refused = [record for record in caplog.records if record.message == "refused"]
    assert [vars(record)["operation"] for record in refused] == [row.operation.name]


@each_row
def test_bad_input_is_refused_with_the_fields_that_are_wrong(place: Place, row: Route) -> None:
    wrong = wrong_parameter(row)
    if wrong is None:
        return
    answer = send(place, row, "owner", wrong)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR"), answer.text
    assert answer.json()["details"]["errors"][0]["path"]


def wrong_parameter(row: Route) -> dict[str, Any] | None:
    """What of a request is wrong: a word where a number belongs, or a field that nobody knows."""
    if row.method in ("POST", "PUT", "PATCH") and row.raw is None:
        has_body = row.body is not None or "body" in {one.name for one in row.shape.parameters}
        return {"json": {"noSuchField": 1}} if has_body else None
    for parameter in row.shape.parameters:
        if parameter.name in ("page", "chapter", "dry_run", "limit", "depth", "format"):
            alias = parameter.annotation.__metadata__[-1].alias or parameter.name
            return {"path": {alias: WORD}} if f"{{{alias}}}" in row.path else {"params": {alias: WORD}}
    return None


def send(place: Place, row: Route, who: str, wrong: dict[str, Any] | None = None) -> Any:
    wrong = wrong or {}
    known = {"storyId": "port", "chapter": "0", "scene": "0", "sample": "harbor.en"}
    path = row.path
    for name in row.in_address:
        path = path.replace(f"{{{name}}}", wrong.get("path", {}).get(name, known.get(name, "nothing")))
    headers = {"authorization": f"Bearer {place.tokens[who]}"}
    body = wrong.get("json", {} if row.raw is None and row.method not in ("GET", "DELETE") else None)
    return place.client.request(
        row.method, "/api/v2" + path, json=body, params=wrong.get("params"), headers=headers
    )


@pytest.mark.parametrize("name", [name for name, tool in TOOLS.items() if tool.of_a_story])
def test_a_tool_reaches_its_operation_and_no_other(
    place: Place, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    operation = TOOLS[name].operation
    agent = Agent(in_process(place.memory, place.callers["reader"]))
    with caplog.at_level(logging.WARNING, "fabula.calls"):
        refused = agent.refusal(name, story="port", noSuchField=1)
    assert refused["code"] == "VALIDATION_ERROR"
    assert "noSuchField" in {error["path"] for error in refused["details"]["errors"]}
    assert operation.name in {vars(record).get("operation") for record in caplog.records}


def test_python_reaches_what_it_names(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    story = place.memory.story("海港", id="port")
    with pytest.raises(FabulaError), caplog.at_level(logging.WARNING, "fabula.calls"):
        story.lorebook.entry.update(entry_id="nobody", patch={})
    assert vars(caplog.records[-1])["operation"] == "lorebook.entry.update"
    with pytest.raises(AttributeError):
        _ = story.lorebook.entry.paint
    with pytest.raises(AttributeError):
        _ = story.agent
    assert "update" in dir(story.lorebook.entry)


def test_a_fault_is_told_without_its_inside(place: Place) -> None:
    def broken(_: Any, __: Any) -> None:
        raise KeyError("secret")

    made = Operation("story.break", OPERATIONS["story.read"].request, None, broken, Role.READER)
    with pytest.raises(FabulaError) as told:
        run(made, place.memory.call(), {"project_id": "port"})
    assert (told.value.code, "secret" in told.value.message) == ("INTERNAL_ERROR", False)


@pytest.mark.long
def test_the_page_of_operations_is_fresh() -> None:
    assert PAGE.read_text("utf-8") == operations_page(), "run: make schemas"


def test_every_command_on_the_page_exists() -> None:
    from typer.main import get_command

    from fabula.cli.main import app

    root: Any = get_command(app)
    for name, command in COMMANDS.items():
        assert name in OPERATIONS
        found = root
        for word in command.split():
            found = found.commands[word]
