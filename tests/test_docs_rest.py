"""The pages on REST, the lorebook and contexts say what the code does, and their examples are run."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from doors import fabula
from fabula.api.app import create_app
from fabula.api.envelope import CHANNEL_PREFIX
from fabula.assembly.context import AssembledContext
from fabula.assembly.reasons import REASONS
from fabula.assembly.sections import SECTIONS
from fabula.canon.entry_values import LorebookEntry
from fabula.context.candidates.relations import LEAST_RELATIONS, MOST_RELATIONS, RELATIONS_PER_ENTITY
from fabula.errors import all_errors
from fabula.memory import Memory
from fabula.model.reason import Reason
from fabula.model.story_settings import DEFAULT_BUDGET
from fabula.operations.context import Shares
from fabula.samples import load_sample
from fabula.tokens import _MODELS, VOCABULARIES
from test_docs import CODE, DOCS, FENCE, READMES, field_names, like, name_of, sections, table_row, text_of

REST = DOCS / "rest.md"
API = "/api/v2"
ROW = re.compile(r"^\| `(GET|POST|PUT|PATCH|DELETE) (/\S+)` \|(.*)\|$", re.M)
CURL = re.compile(r"curl \S+?(/api/v2/\S+).*?-d '([^']+)'", re.S)


@pytest.fixture
def app(memory: Memory) -> FastAPI:
    return create_app(memory, version="0")


def operations(app: FastAPI) -> dict[tuple[str, str], dict[str, Any]]:
    """The described REST operations by method and path; channels have a page of their own."""
    return {
        (method.upper(), path.removeprefix(API)): described
        for path, methods in app.openapi()["paths"].items()
        if not path.startswith(CHANNEL_PREFIX)
        for method, described in methods.items()
    }


def rows() -> list[tuple[tuple[str, str], list[str]]]:
    """((method, path), [request, answer, codes]) of every row of the page."""
    found = [((method, path), rest.split("|")) for method, path, rest in ROW.findall(text_of(REST))]
    return [(address, [cell.strip() for cell in cells]) for address, cells in found]


def section_of(address: tuple[str, str]) -> str:
    """The part of the page that a row stands in, with the tables of fields that it links to."""
    method, path = address
    (body,) = (body for body in sections(REST).values() if f"| `{method} {path}` |" in body)
    for page, heading in re.findall(r"\((\w+\.md)#([\w-]+)\)", body):
        linked = {title.lower().replace(" ", "-"): text for title, text in sections(DOCS / page).items()}
        body += linked[heading]
    if "lorebook.md" in body:
        body += sections(DOCS / "lorebook.md")["Activation rules"]
    return body + sections(DOCS / "values.md")["Moment"]


# Addresses


def test_every_route_has_a_row_and_every_row_a_route(app: FastAPI) -> None:
    documented = [address for address, _ in rows()]
    assert len(documented) == len(set(documented))
    assert set(documented) == set(operations(app))


def test_a_row_gives_the_status_of_success(app: FastAPI) -> None:
    described = operations(app)
    for address, (_, answer, _) in rows():
        expected = {status for status in described[address]["responses"] if status.startswith("2")}
        assert set(re.findall(r"\b20\d\b", answer)) == expected, address


def test_a_row_gives_codes_of_the_closed_list() -> None:
    known = {error.code for error in all_errors()}
    for address, (_, _, codes) in rows():
        assert {code for code in CODE.findall(codes) if code.isupper()} <= known, address


def test_all_that_an_address_takes_and_gives_is_named(app: FastAPI) -> None:
    schemas = app.openapi()["components"]["schemas"]
    common = text_of(REST).split("\n## ")[0]
    for address, described in operations(app).items():
        named = set(CODE.findall(section_of(address) + common))
        taken = {parameter["name"] for parameter in described.get("parameters", [])}
        taken -= set(re.findall(r"\{(\w+)\}", address[1]))
        said = json.dumps([described.get("requestBody"), described["responses"]])
        inside = _reached(re.findall(r"#/components/schemas/(\w+)", said), schemas)
        taken |= {name for shape in inside for name in schemas[shape].get("properties", {})}
        assert not taken - named, f"{address}: not documented: {sorted(taken - named)}"


def _reached(names: list[str], schemas: dict[str, Any]) -> set[str]:
    """The schemas of these names and those they speak of, without the error that every address shares."""
    reached: set[str] = set()
    waiting = [name for name in names if name not in ("Error", "Limits")]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += re.findall(r"#/components/schemas/(\w+)", json.dumps(schemas[name]))
    return reached - {"Limits"}


def test_the_examples_of_rest_get_the_answers_shown(app: FastAPI) -> None:
    examples = [code for language, code in FENCE.findall(text_of(REST)) if language == "http"]
    assert len(examples) >= 12

    async def all_in_order() -> None:
        for example in examples:
            said, shown = example.split("\n\n")
            first, _, body = said.partition("\n")
            method, path = first.split(" ", 1)
            status, _, answer = shown.strip().partition("\n")
            real = await _asked(app, method, path, body)
            assert real.status_code == int(status), f"{first}: {real.text}"
            assert like(json.loads(answer), real.json()), f"{first}: {real.text}"

    asyncio.run(all_in_order())


async def _asked(app: FastAPI, method: str, path: str, body: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as client:
        headers = {"content-type": "application/json"}
        return await client.request(method, path, content=body or None, headers=headers)


# Entries and contexts


def test_every_field_of_an_entry_is_in_its_table() -> None:
    fields = sections(DOCS / "lorebook.md")["Fields"] + sections(DOCS / "lorebook.md")["Activation rules"]
    in_tables = {code for line in fields.splitlines() if line.startswith("| `") for code in _first(line)}
    of_times = {"chapter", "scene", "day", "label"}
    assert in_tables == field_names(LorebookEntry, "serialization") - of_times


def _first(line: str) -> list[str]:
    return CODE.findall(line.strip("|").split("|")[0])


def test_every_field_of_a_context_is_named() -> None:
    page = sections(DOCS / "context.md")
    named = set(CODE.findall(page["The answer"] + page["Reading the trace"]))
    assert not field_names(AssembledContext, "serialization") - named
    listed = {code for line in page["The answer"].splitlines() if line[:3] == "| `" for code in _first(line)}
    own = {field.alias for field in AssembledContext.model_fields.values()}
    assert listed == own


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: reason.code)
def test_every_reason_is_explained_with_the_words_of_its_record(reason: Reason) -> None:
    told = [f"`{reason.code}`", reason.outcome, reason.words.en, reason.words.zh, reason.meaning]
    assert table_row(DOCS / "context.md", reason.code) == told


def test_no_other_reason_is_explained() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (?:in|out|both) \|", text_of(DOCS / "context.md"), re.M)
    assert sorted(rows) == sorted(reason.code for reason in REASONS)


def test_the_sections_take_their_turns_as_the_page_says() -> None:
    page = sections(DOCS / "context.md")
    shared = [section for section in SECTIONS if section.share is not None]
    by_turn = [section.key for section in sorted(shared, key=lambda section: section.turn)]
    assert re.findall(r"the share `(\w+)`", page["Budget and shares"]) == by_turn
    kinds = ", ".join(dict.fromkeys(f"`{section.kind}`" for section in SECTIONS))
    first, _, last = kinds.rpartition(", ")
    assert f"| `kind` | {first} or {last} |" in page["Reading the trace"]


def test_the_shares_and_bounds_are_those_of_the_code() -> None:
    said = sections(DOCS / "context.md")["Budget and shares"]
    assert f"{DEFAULT_BUDGET:,}" in said
    for name, share in dict(Shares()).items():
        assert re.search(rf"`{name}`, {share:.0%}", said), name
    made = " ".join(sections(DOCS / "context.md")["How it is made"].split())
    bounds = f"between {LEAST_RELATIONS} and {MOST_RELATIONS} in all"
    assert f"At most {RELATIONS_PER_ENTITY} relations of one entity and {bounds}" in made


def test_every_vocabulary_and_model_is_listed() -> None:
    said = set(CODE.findall(sections(DOCS / "context.md")["Tokens"]))
    assert said >= {*VOCABULARIES, *(model for model, _ in _MODELS)}


# The terminal


@pytest.mark.slow
@pytest.mark.parametrize("page", READMES, ids=name_of)
def test_the_way_from_an_import_to_a_table_of_reasons(page: Path, app: FastAPI, memory: Memory) -> None:
    fences = FENCE.findall(text_of(page))
    place = next(i for i, (_, code) in enumerate(fences) if "fabula context" in code)
    loading, asking, shown = (code for _, code in fences[place - 1 : place + 2])
    for path, body in CURL.findall(loading):
        assert asyncio.run(_asked(app, "POST", path, body)).is_success
    written, command = asking.splitlines()
    folder = memory.place.parent
    text, _, file = re.fullmatch(r"echo '(.*)' (>) (\S+)", written).groups()
    (folder / file).write_text(text + "\n", "utf-8")
    language = "zh" if page.name == "README.zh.md" else "en"
    arguments = [*command.split()[1:], "--db", str(memory.place)]
    done = fabula(*arguments, cwd=folder, FABULA_LANG=language, COLUMNS="100")
    assert done.returncode == 0, done.stderr
    assert _lines(done.stdout) == _lines(shown)


@pytest.mark.slow
def test_the_tables_of_the_sample_story_are_parts_of_the_real_ones(memory: Memory) -> None:
    load_sample(memory, "harbor.en")
    fences = FENCE.findall(text_of(DOCS / "cli.md"))
    shown = [(said, code) for (_, said), (language, code) in pairwise(fences) if language == "text"]
    assert [said.split()[1] for said, _ in shown] == ["context", "search"]
    for said, table in shown:
        arguments = [*shlex.split(said)[1:], "--db", str(memory.place)]
        # While vectors are being made in the background, one table is not like the next.
        done = fabula(*arguments, cwd=memory.place.parent, COLUMNS="120", FABULA_EMBEDDING_MODEL="none")
        real = _lines(done.stdout)
        assert [line for line in _lines(table) if line not in real] == []


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]
