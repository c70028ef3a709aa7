"""Findings as SARIF 2.1.0, which editors and code hosts show."""

from __future__ import annotations

from typing import Any

from fabula.consistency.rules import RULES
from fabula.formats.folder_names import scene_paths
from fabula.model.check import CheckFinding, EstablishedThere, Severity, WrittenHere
from fabula.operations.checks.values import KnowledgeChecksRunResponse
from fabula.operations.checks.with_model import MODEL_RULE, ModelChecksResponse, ModelFinding

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note", "off": "none"}


def sarif(answer: KnowledgeChecksRunResponse, said: ModelChecksResponse | None = None) -> dict[str, Any]:
    """Return the findings as a SARIF log; places are in the files of the story's folder.

    What a model says is a run of its own.
    """
    rules = [
        {
            "id": rule.id,
            "shortDescription": {"text": rule.title["en"]},
            "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        }
        for rule in RULES
    ]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "fabula", "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(one) for one in answer.findings],
            },
            *([] if said is None else [_by_model(said)]),
        ],
    }


def _by_model(said: ModelChecksResponse) -> dict[str, Any]:
    rule = {
        "id": MODEL_RULE,
        "shortDescription": {"text": "What a language model takes for a contradiction"},
        "defaultConfiguration": {"level": "note"},
    }
    return {
        "tool": {"driver": {"name": f"fabula with {said.model}", "rules": [rule]}},
        "columnKind": "unicodeCodePoints",
        "results": [_said(one) for one in said.findings],
    }


def _said(one: ModelFinding) -> dict[str, Any]:
    return {
        "ruleId": MODEL_RULE,
        "ruleIndex": 0,
        "level": "note",
        "message": {"text": one.message or one.there.quotation},
        "partialFingerprints": {"fabula/v1": one.id},
        **_places(one),
    }


def _result(one: CheckFinding) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": one.rule,
        "ruleIndex": next(number for number, rule in enumerate(RULES) if rule.id == one.rule),
        "level": _LEVELS[one.severity],
        "message": {"text": one.message},
        "partialFingerprints": {"fabula/v1": one.id},
        "rank": round(100 * one.confidence, 1),
    }
    result |= _places(one)
    if one.waived:
        result["suppressions"] = [{"kind": "external"}]
    return result


def _places(one: CheckFinding | ModelFinding) -> dict[str, Any]:
    """Where the words stand, and what they contradict."""
    here, there = _location(one.here), None if one.there is None else _location(one.there)
    places: dict[str, Any] = {} if here is None else {"locations": [here]}
    return places if there is None else places | {"relatedLocations": [there | {"id": 1}]}


def _location(place: WrittenHere | EstablishedThere) -> dict[str, Any] | None:
    if place.chapter is None or place.scene is None or place.start is None or place.end is None:
        return None
    start, end = place.start, place.end
    if isinstance(place, WrittenHere) and place.mark_start is not None and place.mark_end is not None:
        start, end = place.mark_start, place.mark_end
    region = {"charOffset": start, "charLength": end - start, "snippet": {"text": place.quotation}}
    artifact = {"uri": scene_paths(place.chapter, place.scene)[0]}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}
