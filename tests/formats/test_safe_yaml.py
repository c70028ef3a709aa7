"""YAML from strangers: what is read as what, and what is refused, with the line."""

from __future__ import annotations

import gc
import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fabula.errors import FabulaError, InvalidInput, PayloadTooLarge
from fabula.formats.safe_yaml import YamlLimits, YamlReading, read_yaml
from fabula.formats.yaml_text import write_yaml

LOADERS = [yaml.SafeLoader]
if yaml.__with_libyaml__:
    LOADERS.append(yaml.CSafeLoader)

BOMB = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [*{before}, *{before}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGE_BOMB = "a: &a {x: 1}\nb: &b {<<: *a}\nc: {<<: [*a, *b]}\n"

HOSTILE = {
    "aliases": (BOMB, 1, "aliases and anchors"),
    "merge keys": (MERGE_BOMB, 1, "aliases and anchors"),
    "a merge key alone": ("a: 1\n<<: {b: 2}\n", 2, "merge keys"),
    "an alias to nothing": ("- a\n- *b\n", 2, "lias"),
    "deep lists": ("[" * 500, 1, "nested deeper"),
    "deep mappings": ("{a: " * 500, 1, "nested deeper"),
    "deep blocks": ("".join(" " * depth + "a:\n" for depth in range(500)), 41, "nested deeper"),
    "a key twice": ("- a: 1\n  b: 2\n  a: 3\n", 3, "'a' appears twice"),
    "a key twice, once quoted": ('- a: 1\n  "a": 3\n', 2, "'a' appears twice"),
    "an object of Python": ("- !!python/object/apply:os.system [ls]\n", 1, "tags"),
    "a tag": ("- !mine 1\n", 1, "tags"),
    "a standard tag": ("- !!str 1\n", 1, "tags"),
    "a tag on a list": ("- !!set {a, b}\n", 1, "tags"),
    "a tag prefix": ("%TAG !e! tag:example.com,2026:\n---\n- a\n", 1, "tags"),
    "a huge integer": ("- 1" + "0" * 5000, 1, "beyond 64 bits"),
    "an integer beyond 64 bits": ("- 9223372036854775808", 1, "beyond 64 bits"),
    "a huge exponent": ("- 1e999", 1, "JSON does not know"),
    "not a number": ("a:\n- .nan", 2, "JSON does not know"),
    "infinity": ("- -.inf", 1, "JSON does not know"),
    "NUL": ("- a\n- b\x00", 2, "U+0000"),
    "a control character": ("- a\x1b[0m", 1, "U+001B"),
    "a tab as indentation": ("a:\n\t- b\n", 2, ""),
    "two documents": ("- a\n---\n- b\n", 2, "second document"),
    "a list as key": ("? [a]\n: b\n", 1, "key must be a text"),
    "a key that is missing": ("?\n: b\n", 1, "key is missing"),
    "an open list": ("- [a, b\n", 2, ""),
    "an open quotation": ('- "a\n', 2, ""),
}


@pytest.mark.scenario("BUNDLE-IMPORT-SAFE-YAML")
@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(("text", "line", "reason"), HOSTILE.values(), ids=HOSTILE)
def test_what_could_harm_is_refused_with_its_line(loader: Any, text: str, line: int, reason: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_yaml(text.encode(), loader=loader)
    assert reason in refused.value.message
    assert refused.value.details is not None
    assert refused.value.details["line"] == line
    assert refused.value.suggestion


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"- a\n- \xff\xfe\n", 2),
        ("- a\n".encode("utf-16"), 1),
        ("- a\n".encode("utf-16-le"), 1),
        ("- 人\n".encode("gb18030"), 1),
        (b"- \xed\xa0\x80", 1),
    ],
)
def test_only_utf_8_is_read(data: bytes, line: int) -> None:
    with pytest.raises(InvalidInput, match=f"line {line}") as refused:
        read_yaml(data)
    assert "UTF-8" in (refused.value.suggestion or "")


def test_a_byte_order_mark_is_ignored() -> None:
    assert read_yaml(b"\xef\xbb\xbf- a").value == ["a"]


def test_sizes_are_bounded() -> None:
    with pytest.raises(PayloadTooLarge):
        read_yaml(b"- aaaaaaaaaa", YamlLimits(size=5))
    with pytest.raises(InvalidInput, match="more than 3 values"):
        read_yaml(b"[a, b, c, d]", YamlLimits(values=3))
    with pytest.raises(InvalidInput, match="more than 2 words"):
        read_yaml(b"[[yes, no, on]]", YamlLimits(doubtful=2))
    assert read_yaml(b"[[1.50, 2.50, 3.50]]", YamlLimits(doubtful=2)).value == [[1.5, 2.5, 3.5]]


def test_the_collector_runs_again_after_a_refusal() -> None:
    with pytest.raises(InvalidInput):
        read_yaml(b"[")
    assert gc.isenabled()


PLAIN = {
    "~": None,
    "null": None,
    "": None,
    "true": True,
    "FALSE": False,
    "0": 0,
    "-7": -7,
    "+7": 7,
    "9223372036854775807": 2**63 - 1,
    "1.50": 1.5,
    ".5": 0.5,
    "1e3": 1000.0,
    "-1.5E-3": -0.0015,
    "text": "text",
    "nobody": "nobody",
    "1st": "1st",
    "-": "-",
    "1.2.3": "1.2.3",
}
DOUBTFUL = {
    "yes": "boolean",
    "Off": "boolean",
    "2026-01-01": "date",
    "2026-01-01 12:00:00": "timestamp",
    "2026-01-01T12:00:00Z": "timestamp",
    "12:30": "time",
    "007": "number",
    "1_000": "number",
    "0x1F": "number",
    "0o17": "number",
}


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(("text", "value"), PLAIN.items())
def test_plain_words_that_all_readers_agree_on(loader: Any, text: str, value: Any) -> None:
    read = read_yaml(f"- k: {text}\n".encode() if text != "-" else b'- k: "-"', loader=loader)
    assert repr(read.value[0]["k"]) == repr(value)
    assert not read.doubtful


@pytest.mark.parametrize(("text", "kind"), DOUBTFUL.items())
def test_plain_words_that_readers_disagree_on_are_text_and_remembered(text: str, kind: str) -> None:
    read = read_yaml(f"- a\n- k: {text}\n  list: [{text}]\n".encode())
    item = read.value[1]
    assert item == {"k": text, "list": [text]}
    assert read.scalar(item, "k") == (kind, text)
    assert read.doubtful == {1: [(item, "k"), (item["list"], 0)]}


@pytest.mark.parametrize("text", [*PLAIN, *DOUBTFUL])
def test_what_is_quoted_is_text(text: str) -> None:
    read = read_yaml(f"- k: '{text}'\n".encode())
    assert read.value == [{"k": text}]
    assert (read.scalars, read.doubtful) == ({}, {})


def test_keys_are_always_text() -> None:
    assert read_yaml(b"{1: a, yes: b, 2026-01-01: c}").value == {"1": "a", "yes": "b", "2026-01-01": "c"}


def test_items_know_their_lines() -> None:
    read = read_yaml(b"# note\n- a\n\n- b: 1\n  c: [1,\n    2]\n- d\n")
    assert [read.line(index) for index in range(4)] == [2, 4, 7, None]


def test_an_empty_file_is_null() -> None:
    assert read_yaml(b"# nothing\n") == YamlReading(None, [], {}, {})


# Written and read back

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=30)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
    | st.sampled_from([*PLAIN, *DOUBTFUL, "<<", "a\nb", " a\n", "a: b", "# a", "😀", "𠀀", "\x85", "\u2028x"])
)
data = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts.filter(bool), inner, max_size=4),
    max_leaves=12,
)


@given(data)
def test_what_is_written_is_read_back(value: Any) -> None:
    read = read_yaml(write_yaml(value).encode())
    assert json.dumps(read.value) == json.dumps(value)
    assert not read.doubtful


@given(data)
def test_other_readers_take_it_for_the_same(value: Any) -> None:
    assert json.dumps(yaml.safe_load(write_yaml(value))) == json.dumps(value)


@given(st.text(max_size=200) | st.text("-[]{}:,?&*!|>'\"%#\n\t <a1", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        told = json.dumps(read_yaml(text.encode("utf-8", "surrogatepass")).value, allow_nan=False)
    except FabulaError:
        return
    assert json.loads(told) is not Ellipsis


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML has no libyaml here")
@given(st.text("-[]{}:,?'\"#\n <a1é", max_size=40))
def test_both_parsers_agree(text: str) -> None:
    answers = []
    for loader in LOADERS:
        try:
            answers.append(read_yaml(text.encode(), loader=loader).value)
        except FabulaError:
            return
    assert answers[0] == answers[1]


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("text", ["😀", "𠮷野家 \\ud83d\\ude00", '\\"😀\\'])
def test_json_may_write_a_character_as_two_halves(loader: Any, text: str) -> None:
    told = [{"text": text}, text]
    for data in (json.dumps(told).encode(), b"\xef\xbb\xbf\n" + json.dumps(told).encode()):
        assert read_yaml(data, loader=loader).value == told


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("text", [r"['\ud83d\ude00']", r"- \ud83d\ude00", r"[\ud83d\ude00]"])
def test_where_a_backslash_is_a_backslash_it_stays_one(loader: Any, text: str) -> None:
    assert read_yaml(text.encode(), loader=loader).value == [r"\ud83d\ude00"]
