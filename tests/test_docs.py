"""The documentation says what the code does: names are compared, examples are run, links lead somewhere."""

from __future__ import annotations

import contextlib
import io
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic import BaseModel

from fabula.api.envelope import answer_body
from fabula.cli.main import app
from fabula.config import SETTINGS
from fabula.errors import all_errors
from fabula.memory import Memory
from fabula.model.account import LOCAL
from fabula.operations.catalogue import CHANNELS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(
    page
    for folder in (ROOT, DOCS, ROOT / "bench", ROOT / "tests", ROOT / "src", ROOT / "web" / "src")
    for page in (folder.glob("*.md") if folder == ROOT else folder.rglob("*.md"))
)
READMES = (ROOT / "README.md", DOCS / "README.zh.md")
WITH_PYTHON = (*READMES, DOCS / "python.md")

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
CURL = re.compile(r"ipc/(knowledge:\w+:\w+).*?-d '([^']+)'", re.S)
LEFT_OUT = "…"


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def text_of(page: Path) -> str:
    return page.read_text("utf-8")


def without_fences(text: str) -> str:
    return FENCE.sub("", text)


def sections(page: Path) -> dict[str, str]:
    """The second-level sections of a page by their headings."""
    parts = re.split(r"^## (.+)$", text_of(page), flags=re.M)
    return {heading.strip(): body for heading, body in zip(parts[1::2], parts[2::2], strict=True)}


def anchor(heading: str) -> str:
    """A heading as the web pages of repositories link to it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    return {anchor(heading) for heading in re.findall(r"^#+ (.+)$", without_fences(text_of(page)), re.M)}


def table_row(page: Path, first_cell: str) -> list[str]:
    """The cells of the one table row that begins with this code."""
    rows = [line for line in text_of(page).splitlines() if line.startswith(f"| `{first_cell}` |")]
    assert len(rows) == 1, f"{name_of(page)} has {len(rows)} rows for {first_cell}"
    return [cell.strip() for cell in rows[0].strip("|").split("|")]


def field_names(model: type[BaseModel], mode: Any) -> set[str]:
    """The fields of a type and of the types inside it, as they look on the wire."""
    schema = model.model_json_schema(mode=mode)
    shapes = [schema, *schema.get("$defs", {}).values()]
    return {name for shape in shapes for name in shape.get("properties", {})}


def parts_of(channel: str) -> tuple[str, str, str]:
    """What a channel's section says of request, answer and codes."""
    body = without_fences(sections(DOCS / "channels.md")[channel])
    found = re.search(r"^- Request: (.*?)^- Answer: (.*?)^- Codes: (.*)", body, re.M | re.S)
    assert found is not None, f"{channel} lacks Request, Answer or Codes, in this order"
    return found.group(1), found.group(2), found.group(3)


def named_in(part: str) -> set[str]:
    """The names a part gives, itself or in the sections it links to."""
    shared = {anchor(heading): body for heading, body in sections(DOCS / "values.md").items()}
    own = {anchor(heading): body for heading, body in sections(DOCS / "channels.md").items()}
    linked = [shared[target] for target in re.findall(r"\(values\.md#([\w-]+)\)", part)]
    linked += [own[target].split("- Answer:")[0] for target in re.findall(r"\(#([\w-]+)\)", part)]
    # A section of values may in turn speak of a moment or a world time.
    linked += [
        shared[target]
        for body in linked
        for target in re.findall(r"\((?:values\.md)?#(moment|world-time)\)", body)
    ]
    return {code for text in (part, *linked) for code in CODE.findall(text)}


# Channels


def test_every_channel_has_a_section_and_every_section_a_channel() -> None:
    assert set(sections(DOCS / "channels.md")) == set(CHANNELS)


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_channel_names_all_its_request_fields(channel: str) -> None:
    request, _, _ = parts_of(channel)
    missing = field_names(CHANNELS[channel].request, "validation") - named_in(request)
    assert not missing, f"{channel}: request fields not documented: {sorted(missing)}"


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_channel_lists_no_request_field_that_is_gone(channel: str) -> None:
    request, _, _ = parts_of(channel)
    listed = {
        name for line in re.findall(r"^  - ([^:\n]+)", request, re.M) for name in CODE.findall(line)
    } | set(CODE.findall(request.splitlines()[0])[:1])
    gone = listed - field_names(CHANNELS[channel].request, "validation")
    assert not gone, f"{channel}: documented, but not taken: {sorted(gone)}"


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_channel_names_all_its_answer_fields(channel: str) -> None:
    _, answer, _ = parts_of(channel)
    missing = field_names(CHANNELS[channel].response, "serialization") - named_in(answer)
    assert not missing, f"{channel}: answer fields not documented: {sorted(missing)}"


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_channel_gives_codes_of_the_closed_list(channel: str) -> None:
    _, _, codes = parts_of(channel)
    named = {code for code in CODE.findall(codes) if code.isupper()}
    assert named
    assert named <= {error.code for error in all_errors()}


def test_the_examples_of_the_channels_get_the_answers_shown(memory: Memory) -> None:
    for channel, body in sections(DOCS / "channels.md").items():
        (example,) = (code for language, code in FENCE.findall(body) if language == "json")
        request, shown = example.splitlines()
        answer = json.loads(answer_body(memory, channel, request.encode(), identity=LOCAL))
        assert like(json.loads(shown), answer), f"{channel} answers {json.dumps(answer, ensure_ascii=False)}"


def like(shown: Any, real: Any) -> bool:
    """Whether a value is what an example shows of it; `…` stands for whatever is left out."""
    if shown == LEFT_OUT:
        return True
    if isinstance(shown, dict) and isinstance(real, dict):
        named = shown.keys() - {LEFT_OUT}
        complete = LEFT_OUT in shown or named == real.keys()
        return complete and named <= real.keys() and all(like(shown[key], real[key]) for key in named)
    if isinstance(shown, list) and isinstance(real, list):
        items = shown[:-1] if shown[-1:] == [LEFT_OUT] else shown
        fits = len(real) > len(items) if len(items) < len(shown) else len(real) == len(items)
        return fits and all(map(like, items, real))
    return bool(shown == real)


def test_an_example_is_not_like_any_answer() -> None:
    assert like({"a": [1, "…"], "…": "…"}, {"a": [1, 2], "b": 3})
    assert not like({"a": 1}, {"a": 1, "b": 2})
    assert not like({"a": 1, "…": "…"}, {"b": 1})
    assert not like([1, "…"], [1])
    assert not like([1], [1, 2])


def requests_shown(page: Path) -> Iterator[tuple[str, Any]]:
    """(channel, payload) of every call that a page shows for curl, a WebSocket or `fabula ipc`."""
    for _, code in FENCE.findall(text_of(page)):
        for channel, body in CURL.findall(code):
            yield channel, json.loads(body)
        for message in re.findall(r"\{\"id\": .*\}", code):
            if '"channel"' in message:
                said = json.loads(message)
                assert said.keys() == {"id", "channel", "payload"}
                yield said["channel"], said["payload"]


@pytest.mark.parametrize("page", [*READMES, DOCS / "cli.md"], ids=name_of)
def test_requests_shown_are_valid(page: Path) -> None:
    shown = list(requests_shown(page))
    assert len(shown) >= (3 if page in READMES else 1)
    for channel, payload in shown:
        CHANNELS[channel].parse(payload)


# Errors, settings, commands, rooms


@pytest.mark.parametrize("error", all_errors(), ids=lambda error: str(error.code))
def test_every_error_is_documented_with_status_and_suggestion(error: Any) -> None:
    english = table_row(DOCS / "errors.md", error.code)
    assert (english[1], english[4]) == (str(error.status), error.default_suggestion)
    assert table_row(DOCS / "errors.zh.md", error.code)[1] == str(error.status)


@pytest.mark.parametrize("page", [DOCS / "errors.md", DOCS / "errors.zh.md"], ids=name_of)
def test_no_error_is_documented_that_does_not_exist(page: Path) -> None:
    documented = re.findall(r"^\| `([A-Z_]+)` \|", text_of(page), re.M)
    assert documented == [error.code for error in all_errors()]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: str(setting.variable))
def test_every_setting_is_documented(setting: Any) -> None:
    row = table_row(DOCS / "settings.md", setting.variable)
    default = f"`{setting.default}`" if setting.default != "" else ""
    assert row[1:] == [f"`{setting.name}`", default, setting.meaning]


def test_no_setting_is_documented_that_does_not_exist() -> None:
    documented = re.findall(r"^\| `(FABULA_\w+)`", text_of(DOCS / "settings.md"), re.M)
    assert documented == [setting.variable for setting in SETTINGS]
    for language, code in FENCE.findall(text_of(DOCS / "settings.md")):
        if language == "toml":
            assert tomllib.loads(code).keys() <= {setting.name for setting in SETTINGS}


def commands(command: Any, path: str = "fabula") -> Iterator[tuple[str, set[str]]]:
    """(name, options) of every command there is."""
    inner = getattr(command, "commands", None)
    if inner is None:
        options = [option for option in command.params if option.param_type_name == "option"]
        yield (
            path,
            {name for option in options for name in (*option.opts, *option.secondary_opts)} - {"--help"},
        )
        return
    for name, child in inner.items():
        yield from commands(child, f"{path} {name}")


def test_every_command_is_documented_with_its_options() -> None:
    documented = sections(DOCS / "cli.md")
    existing = dict(commands(typer.main.get_command(app)))
    assert documented.keys() == existing.keys()
    for name, options in existing.items():
        assert set(re.findall(r"`(--[\w-]+)`", documented[name])) == options, name


@pytest.mark.scenario("MEMORY-PACKAGES")
def test_every_room_is_in_the_house_on_one_page_in_the_order_of_the_linter() -> None:
    source = ROOT / "src" / "fabula"
    rooms = {path.parent.name for path in source.glob("*/__init__.py")}
    rooms |= {path.stem for path in source.glob("*.py")} - {"__init__"}
    documented = re.findall(r"^\| `(\w+)` \|", sections(ROOT / "CONTRIBUTING.md")["The house"], re.M)
    contracts = tomllib.loads(text_of(ROOT / "pyproject.toml"))["tool"]["importlinter"]["contracts"]
    floors = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    assert set(documented) == rooms
    assert documented == [room for floor in floors for room in re.split(r"\s*[|:]\s*", floor)]


@pytest.mark.parametrize("page", [*READMES, ROOT / "CONTRIBUTING.md"], ids=name_of)
def test_make_targets_that_are_named_exist(page: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", text_of(ROOT / "Makefile"), re.M))
    named = set(re.findall(r"(?:^|`)make ([\w-]+)", text_of(page), re.M))
    assert named
    assert named <= targets


def test_both_readmes_name_the_same_commands_and_channels() -> None:
    named = r"make \w+|fabula (?:serve|ipc|context|story|doctor|demo)\b|knowledge:\w+:\w+"
    english, chinese = (set(re.findall(named, text_of(page))) for page in READMES)
    assert english == chinese
    assert {"make demo", "make test"} <= english


# Python and links


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name_of)
def test_the_python_runs_and_prints_what_is_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FABULA_DB", str(tmp_path / "settings.db"))
    names: dict[str, Any] = {"__name__": "example"}
    fences = FENCE.findall(text_of(page))
    ran = 0
    try:
        for (language, code), (following, expected) in zip(fences, [*fences[1:], ("", "")], strict=True):
            if language != "python":
                continue
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, name_of(page), "exec"), names)
            assert following == "text", "an example is followed by what it prints"
            assert printed.getvalue() == expected
            ran += 1
    finally:
        for value in names.values():
            if isinstance(value, Memory):
                value.close()
    assert ran


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_relative_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(without_fences(text_of(page))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, fragment = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_relative_to(ROOT), f"{link} leads out of the project"
        assert target.exists(), f"{link} leads nowhere"
        if fragment:
            assert fragment in anchors(target), f"{link} names a heading that is not there"


def test_every_decision_is_listed_and_fits_on_a_page() -> None:
    folder = DOCS / "decisions"
    pages = sorted(page.name for page in folder.glob("[0-9]*.md"))
    assert sorted(LINK.findall(text_of(folder / "README.md"))) == pages
    assert [page[:3] for page in pages] == [f"{number:03}" for number in range(1, len(pages) + 1)]
    for name in pages:
        text = text_of(folder / name)
        assert len(text.splitlines()) <= 60, name
        wanted = ["Context", "Decision", "Consequences", "Alternatives", "Files bound"]
        assert list(sections(folder / name)) == wanted, name
        for path in CODE.findall(sections(folder / name)["Files bound"]):
            assert (ROOT / path).exists() or (ROOT / "src" / "fabula" / path).exists(), f"{name}: {path}"


def test_every_page_is_listed_in_the_table_of_documents() -> None:
    listed = set(LINK.findall(text_of(DOCS / "README.md")))
    pages = {page.name for page in DOCS.glob("*.md")} - {"README.md", "README.zh.md"}
    assert pages <= listed


@pytest.mark.parametrize("page", READMES, ids=name_of)
def test_the_two_commands_stand_on_the_first_screen(page: Path) -> None:
    first = text_of(page).split("![", 1)[0]
    assert "make demo" in first
    assert "make test" in first
    assert len(first.splitlines()) < 40


GLOSSARY = DOCS / "glossary.md"
HAN = re.compile("[\u4e00-\u9fff]")


def glossary() -> list[list[str]]:
    """The rows of the glossary: term, Chinese term, and the meaning in both languages."""
    rows = [line.strip("|").split("|") for line in text_of(GLOSSARY).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows[1:]]


def test_the_glossary_has_at_most_40_words_each_once_and_in_both_languages() -> None:
    rows = glossary()
    assert 0 < len(rows) <= 40
    for row in rows:
        assert len(row) == 4, row
        assert [HAN.search(cell) is not None for cell in row] == [False, True, False, True], row
        assert all(row), row
    for column in (0, 1):
        words = [row[column] for row in rows]
        assert len(set(words)) == len(words)


def test_every_word_of_the_glossary_is_used() -> None:
    pages = [text_of(page) for page in DOCS.rglob("*.md") if page != GLOSSARY]
    sources = "\n".join([*pages, *(text_of(file) for file in (ROOT / "src").rglob("*.py"))]).lower()
    for term, *_ in glossary():
        assert re.search(rf"\b{term.replace(' ', '[ _]?')}", sources), term


def test_the_glossary_and_the_page_translate_the_same_way() -> None:
    page = (ROOT / "web" / "src" / "texts" / "glossary.ts").read_text("utf-8")
    shown = {en.lower(): zh for en, zh in re.findall(r'\["([^"]+)", "([^"]+)"\]', page)}
    said = {row[0]: row[1] for row in glossary()}
    shared = said.keys() & shown.keys()
    assert {"story", "scene", "entity", "event", "review"} <= shared
    assert {word: said[word] for word in shared} == {word: shown[word] for word in shared}
