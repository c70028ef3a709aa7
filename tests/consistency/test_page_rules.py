"""The page names every rule, with the severity that it has where the author says nothing else."""

from __future__ import annotations

import re
from pathlib import Path

from fabula.consistency.rules import RULES

FINDINGS = Path(__file__).parents[2] / "web" / "src" / "story" / "findings"


def test_the_page_knows_every_rule_by_name_and_severity() -> None:
    source = (FINDINGS / "findings.ts").read_text("utf-8")
    table = source.split("export const DEFAULTS", 1)[1].split("};", 1)[0]
    shown = dict(re.findall(r'^  "?([a-z-]+)"?: "(\w+)",$', table, re.MULTILINE))
    assert shown == {rule.id: rule.severity for rule in RULES}


def test_the_page_calls_the_rules_as_the_terminal_does() -> None:
    source = (FINDINGS / "texts.ts").read_text("utf-8")
    named = re.findall(r'^  "?([a-z-]+)"?: \["([^"]+)", "([^"]+)"\],$', source, re.MULTILINE)
    titles = {rule.id: (rule.title["en"], rule.title["zh"]) for rule in RULES}
    assert {rule: (en, zh) for rule, en, zh in named if rule in titles} == titles
