"""`make audit` tells weaknesses from a registry that could not be asked."""

from __future__ import annotations

import json

from scripts.audit import npm_answer, python_answer, report

SOUND = {"name": "lamp", "version": "1.2", "vulns": []}
WEAK = {"name": "oil", "version": "3.0", "vulns": [{"id": "PYSEC-1"}]}
UNKNOWN = {"name": "wick", "skip_reason": "Dependency not found"}


def of_python(*packages: object) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


def test_nothing_known_is_said_only_if_both_were_asked() -> None:
    said, code = report([python_answer(of_python(SOUND), ""), npm_answer('{"vulnerabilities": {}}', "")])
    assert (said, code) == ("PyPI: no weakness is known.\nnpm: no weakness is known.", 0)


def test_weaknesses_are_named_with_their_package() -> None:
    npm = npm_answer('{"vulnerabilities": {"pier": {"severity": "high"}}}', "")
    said, code = report([python_answer(of_python(SOUND, WEAK), ""), npm])
    assert (said, code) == ("PyPI: oil 3.0: PYSEC-1\nnpm: pier: high", 1)


def test_a_registry_that_gave_no_answer_is_no_weakness_and_no_clean_bill() -> None:
    npm = npm_answer('{"message": "405 Method Not Allowed", "error": {"summary": ""}}', "npm error")
    said, code = report([python_answer("", "trace\nConnectionError: refused\n"), npm])
    assert code == 2
    assert said.splitlines() == [
        "PyPI could not be asked: ConnectionError: refused. This says nothing about weaknesses.",
        "npm could not be asked: 405 Method Not Allowed. This says nothing about weaknesses.",
    ]


def test_packages_that_a_registry_does_not_know_were_not_asked_about() -> None:
    said, code = report([python_answer(of_python(SOUND, UNKNOWN), "")])
    assert code == 2
    assert "does not know 1 of 2 packages, such as wick" in said
    assert "no weakness" not in said
