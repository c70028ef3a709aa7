"""Every rule of the linter has a page, and the examples on it are found and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from consistency_story import told
from fabula.consistency.rules import RULES
from fabula.memory import Memory

PAGES = Path(__file__).parents[2] / "docs" / "checks"
EXAMPLES = [
    (page.stem, yaml.safe_load(block))
    for page in sorted(PAGES.glob("*.md"))
    for block in re.findall(r"```yaml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
]


def test_every_rule_has_a_page_that_names_its_severity() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == {rule.id for rule in RULES}
    for rule in RULES:
        text = (PAGES / f"{rule.id}.md").read_text("utf-8")
        assert f"Severity: `{rule.severity}`" in text


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_the_example_is_found(memory: Memory, rule: str, example: dict[str, Any]) -> None:
    story = told(memory, example)
    (finding,) = story.checks.run().findings
    assert finding.rule == rule
    here = finding.here
    if here.scene_id is None or here.mark_start is None:
        assert example["finds"] in finding.message
        return
    text = example["scenes"][here.chapter]
    assert text[here.start : here.end] == here.quotation
    assert (
        text[here.mark_start : here.mark_end].startswith(example["finds"])
        or example["finds"] in (text[here.mark_start : here.mark_end])
    )
    assert finding.there is not None
    if finding.there.kind == "scene":
        assert finding.there.quotation in example["scenes"][finding.there.chapter or 0]


@pytest.mark.parametrize(("rule", "example"), [one for one in EXAMPLES if "sound" in one[1]])
def test_the_sound_story_has_no_finding(memory: Memory, rule: str, example: dict[str, Any]) -> None:
    assert told(memory, example, sound=True).checks.run().findings == ()
