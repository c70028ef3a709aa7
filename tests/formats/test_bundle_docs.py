"""The page about bundles shows what really happens."""

from __future__ import annotations

import re
from pathlib import Path

from fabula.formats.bundle import bundle_plan
from fabula.formats.bundle_check import bundle_check
from fabula.formats.bundle_ends import orphans
from fabula.formats.ontology_file import read_ontology
from fabula.formats.safe_yaml import read_yaml
from fabula.model.fiction import FICTION

PAGE = (Path(__file__).parents[2] / "docs" / "bundles.md").read_text("utf-8")
ONTOLOGY, RIGHT, FACTS, WRONG = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
TOLD, HELD_AGAINST_THE_STORY = re.findall(r"^```text\n(.*?)^```$", PAGE, re.M | re.S)


def test_the_bundle_shown_is_right_for_the_ontology_shown() -> None:
    ontology = read_ontology(ONTOLOGY.encode())
    reading = read_yaml(RIGHT.encode())
    assert bundle_check(reading.value, ontology, reading).errors == ()
    (orphan,) = orphans(bundle_plan(reading.value, ontology), lambda *_: False).errors
    assert orphan.message == HELD_AGAINST_THE_STORY.splitlines()[0]


def test_the_errors_shown_are_those_of_the_bundle_shown() -> None:
    reading = read_yaml(WRONG.encode())
    found = bundle_check(reading.value, read_ontology(ONTOLOGY.encode()), reading)
    assert sorted(error.message for error in found.errors) == sorted(TOLD.splitlines())


def test_the_facts_of_the_page_are_right_in_a_story() -> None:
    reading = read_yaml(FACTS.encode())
    assert bundle_check(reading.value, FICTION, reading).errors == ()
