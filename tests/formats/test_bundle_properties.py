"""What holds for every bundle, however broken."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.errors import InvalidInput
from fabula.formats.bundle import bundle_plan
from fabula.formats.bundle_check import bundle_check
from fabula.formats.bundle_ends import orphans, over_cardinality
from fabula.formats.bundle_schema import example_bundle, full_schema
from fabula.formats.bundle_words import BundleError
from fabula.formats.safe_yaml import read_yaml
from fabula.formats.yaml_text import write_yaml
from fabula.model.fiction import FICTION
from fabula.model.story_ontology import Ontology
from formats.library import LIBRARY, document, employed

ONTOLOGIES = (FICTION, LIBRARY)
PUBLISHED = {id(ontology): jsonschema_rs.validator_for(full_schema(ontology)) for ontology in ONTOLOGIES}
KNOWN = {
    id(FICTION): [
        *example_bundle(FICTION),
        {"type": "Item", "name": "lamp", "aliases": ["light"], "since": {"chapter": 1, "scene": 2}},
    ],
    id(LIBRARY): [
        *example_bundle(LIBRARY),
        document("x", pages=3, status="final", tags=["a"], published="2026-01-01"),
        employed("a@example.com", "ACME-001", position="clerk", since="2026-01-01"),
    ],
}
FIELDS = [
    "type",
    "action",
    "source",
    "target",
    "name",
    "doc_uri",
    "aliases",
    "since",
    "chapter",
    "attributes",
]
WORDS = [
    *FIELDS,
    *["Character", "Document", "REFERENCES", "KNOWS", "upsert", "delete", "x.y", "人物"],
    "",
    "\ud800",
    "\x00",
]

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.integers()
    | st.floats()
    | st.sampled_from(WORDS)
    | st.text(max_size=3)
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=2), inner, max_size=4)
    ),
    max_leaves=8,
)
STEP = re.compile(r'\[(\d+)\]|\.([^\W\d][\w-]*)|\[("(?:[^"\\]|\\.)*")\]')


@st.composite
def broken(draw: st.DrawFn) -> tuple[Ontology, Any]:
    """A bundle that was right until a few of its places were changed, removed or added to."""
    ontology = draw(st.sampled_from(ONTOLOGIES))
    data: Any = copy.deepcopy(KNOWN[id(ontology)])
    for _ in range(draw(st.integers(0, 3))):
        place: Any = data
        while isinstance(place, dict | list) and place:
            step = draw(st.sampled_from(list(place) if isinstance(place, dict) else range(len(place))))
            if not isinstance(place[step], dict | list) or draw(st.booleans()):
                break
            place = place[step]
        else:
            continue
        match draw(st.sampled_from(("change", "remove", "add"))):
            case "change":
                place[step] = draw(values)
            case "remove":
                del place[step]
            case _ if isinstance(place, dict):
                place[draw(st.sampled_from(WORDS))] = draw(values)
            case _:
                place.append(draw(values))
    return ontology, data


bundles = broken() | st.tuples(st.sampled_from(ONTOLOGIES), values | st.lists(values, max_size=3))


def points_into(data: Any, error: BundleError) -> bool:
    """Whether the path leads to a value, or, for what is missing, to the mapping that lacks it."""
    steps: list[Any] = []
    end = 0
    for found in STEP.finditer(error.path):
        assert found.start() == end
        end = found.end()
        number, word, quoted = found.groups()
        steps.append(int(number) if number else word or json.loads(quoted))
    assert end == len(error.path)
    missing = steps.pop() if "is required" in error.message else None
    for step in steps:
        data = data[step]
    return missing is None or (isinstance(data, dict) and missing not in data)


@given(bundles)
def test_every_error_points_into_the_data_and_can_be_sent(bundle: tuple[Ontology, Any]) -> None:
    ontology, data = bundle
    found = bundle_check(data, ontology)
    assert found.count >= len(found.errors)
    for error in found.errors:
        json.dumps(error.as_dict(), ensure_ascii=False).encode()
        assert len(error.message) < 1_000
        if error.index is not None:
            assert error.path.startswith(f"[{error.index}]")
            assert points_into(data, error)


@pytest.mark.scenario("BUNDLE-TWO-CONTRACTS")
@given(bundles)
def test_what_passes_meets_the_published_schema_and_can_be_planned(bundle: tuple[Ontology, Any]) -> None:
    ontology, data = bundle
    if bundle_check(data, ontology).count == 0:
        assert PUBLISHED[id(ontology)].is_valid(data)
        plan = bundle_plan(data, ontology)
        parts = (plan.nodes_to_upsert, plan.nodes_to_delete, plan.edges_to_upsert, plan.edges_to_delete)
        assert sum(map(len, parts)) <= len(data)
        assert orphans(plan, lambda *_: True).count == 0
        over_cardinality(plan, ontology, lambda *_: ())


@given(bundles)
def test_a_file_is_told_the_same_as_its_data(bundle: tuple[Ontology, Any]) -> None:
    ontology, data = bundle
    try:
        reading = read_yaml(write_yaml(data).encode())
    except (UnicodeEncodeError, InvalidInput):  # what no file can hold
        return
    assert bundle_check(reading.value, ontology, reading).count == bundle_check(data, ontology).count
