"""The SARIF log of a check has the shape that SARIF 2.1.0 demands, property by property and by schema."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from fabula.memory import Memory
from fabula.model.check import EstablishedThere, WrittenHere
from fabula.operations.checks.sarif import sarif
from fabula.operations.checks.with_model import ModelChecksResponse, ModelFinding
from fabula.story_memory import StoryMemory

# What `make sarif` fetches.
SCHEMA = Path(sys.prefix) / "sarif" / "schema.json"
SAID = ModelChecksResponse(
    findings=(
        ModelFinding(
            id="1",
            model="scripted",
            message="Grey is no blue.",
            entity_id=None,
            name="Anna",
            here=WrittenHere(chapter=1, scene=0, start=0, end=4, mark_start=0, mark_end=4, quotation="blue"),
            there=EstablishedThere(kind="entity", id="a", quotation="grey"),
        ),
    ),
    model="scripted",
    request_count=1,
    failed_count=0,
    left_out_count=0,
    prompt_tokens=9,
    answer_tokens=9,
    revision=1,
)

# Of each object that is used: the properties that it must have, and those that it may have of the standard's,
# with their types or the object that they hold (a list of it, in brackets).
SHAPES: dict[str, tuple[set[str], dict[str, Any]]] = {
    "log": ({"version", "runs"}, {"$schema": str, "version": str, "runs": ["run"]}),
    "run": ({"tool"}, {"tool": "tool", "columnKind": str, "results": ["result"]}),
    "tool": ({"driver"}, {"driver": "component"}),
    "component": ({"name"}, {"name": str, "rules": ["rule"], "informationUri": str, "version": str}),
    "rule": (
        {"id"},
        {"id": str, "shortDescription": "text", "defaultConfiguration": "configuration", "helpUri": str},
    ),
    "configuration": (set(), {"level": str}),
    "text": ({"text"}, {"text": str}),
    "result": (
        {"message"},
        {
            "ruleId": str,
            "ruleIndex": int,
            "level": str,
            "message": "text",
            "partialFingerprints": dict,
            "rank": float,
            "locations": ["location"],
            "relatedLocations": ["location"],
            "suppressions": ["suppression"],
        },
    ),
    "location": (set(), {"id": int, "physicalLocation": "physical"}),
    "physical": ({"artifactLocation"}, {"artifactLocation": "artifact", "region": "region"}),
    "artifact": (set(), {"uri": str}),
    "region": (set(), {"charOffset": int, "charLength": int, "snippet": "text"}),
    "suppression": ({"kind"}, {"kind": str}),
}
LEVELS = {"none", "note", "warning", "error"}
WORDS = {
    "level": LEVELS,
    "kind": {"inSource", "external"},
    "columnKind": {"utf16CodeUnits", "unicodeCodePoints"},
}


def conform(value: Any, shape: str, where: str = "log") -> None:
    """Fail if an object lacks a property, or has one that its shape does not know or of another type."""
    assert isinstance(value, dict), where
    required, known = SHAPES[shape]
    assert required <= value.keys() <= known.keys(), f"{where}: {sorted(value)}"
    for name, own in value.items():
        wanted, here = known[name], f"{where}.{name}"
        if isinstance(wanted, list):
            assert isinstance(own, list), here
            for number, one in enumerate(own):
                conform(one, wanted[0], f"{here}[{number}]")
        elif isinstance(wanted, str):
            conform(own, wanted, here)
        else:
            assert isinstance(own, wanted), here
        if name in WORDS:
            assert own in WORDS[name], here


@pytest.fixture
def novel(memory: Memory) -> StoryMemory:
    story = memory.story("Novel", language="en")
    for name in ("Anna", "Marian", "Marion"):
        story.entity.create(type="character", name=name)
    story.scene(0, 0, "Anna had grey eyes.")
    story.scene(1, 0, "Nobody could forget Anna’s blue eyes.")
    story.thread.create(title="The ring", due={"chapter": 0})
    return story


def test_findings_in_texts_among_facts_and_waived_ones_have_the_shape_of_sarif(novel: StoryMemory) -> None:
    found = novel.checks.run().findings
    assert {one.rule for one in found} == {"trait", "name", "thread"}
    novel.waiver.create(finding_id=found[0].id)
    log = sarif(novel.checks.run())
    conform(log, "log")
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    ids = [one["id"] for one in run["tool"]["driver"]["rules"]]
    assert len(ids) == len(set(ids))
    assert len(run["results"]) == len(found)
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert 0 <= result["rank"] <= 100
        for place in (*result.get("locations", ()), *result.get("relatedLocations", ())):
            region, artifact = (
                place["physicalLocation"]["region"],
                place["physicalLocation"]["artifactLocation"],
            )
            assert region["charOffset"] >= 0
            assert region["charLength"] >= 0
            assert "\\" not in artifact["uri"]


def test_what_a_model_says_is_a_run_of_its_own(novel: StoryMemory) -> None:
    answer = novel.checks.run()
    log = sarif(answer, SAID)
    conform(log, "log")
    ours, said = log["runs"]
    assert ours == sarif(answer)["runs"][0]
    (result,) = said["results"]
    assert (result["ruleId"], result["level"]) == ("model", "note")
    assert said["tool"]["driver"]["name"] == "fabula with scripted"


@pytest.mark.slow
def test_the_published_schema_accepts_the_log(novel: StoryMemory) -> None:
    assert SCHEMA.exists(), "fetch the schema with `make sarif`"
    # The pattern of languages has a lone bracket, which strict engines refuse.
    published = SCHEMA.read_text("utf-8").replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$")
    schema = jsonschema_rs.validator_for(json.loads(published))
    novel.waiver.create(finding_id=novel.checks.run().findings[0].id)
    log = sarif(novel.checks.run(), SAID)
    assert [error.message for error in schema.iter_errors(log)] == []
    log["runs"][0]["results"][0]["level"] = "loud"
    assert not schema.is_valid(log)


def test_what_is_no_sarif_does_not_pass() -> None:
    log = {
        "version": "2.1.0",
        "runs": [{"tool": {"driver": {"name": "fabula"}}, "results": [{"level": "loud"}]}],
    }
    with pytest.raises(AssertionError):
        conform(log, "log")
