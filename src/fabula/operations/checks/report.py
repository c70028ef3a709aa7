"""Running the rules over a story, and the newest findings, which are kept in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

from fabula.call import Call
from fabula.consistency.linter import Discovery, Linter
from fabula.consistency.rule import ConsistencyRule, Discrepancy
from fabula.consistency.rules import RULES
from fabula.errors import InvalidInput, NotFound
from fabula.index.story_index import StoryIndex
from fabula.model.check import CheckFinding, Severity, WrittenHere
from fabula.model.manuscript import Scene
from fabula.model.story_settings import severities_in
from fabula.model.waiver import Waiver, waiver_key
from fabula.operations.checks.values import KnowledgeChecksRunRequest, KnowledgeChecksRunResponse
from fabula.store.kinds import SCENE
from fabula.store.reader import Reader

Seen = Callable[[float], bool]


class _Severity(NamedTuple):
    """How severe the findings of each rule are in a story."""

    chosen: dict[str, Severity]

    def of(self, rule: ConsistencyRule, found: Discrepancy | None = None) -> Severity:
        """How severe a rule is, or one of its findings, which may be less."""
        own = None if found is None else found.severity
        return self.chosen.get(rule.id) or own or rule.severity


# The newest findings of whole stories, as long as their indexes are kept.
_NEWEST: WeakKeyDictionary[StoryIndex, KnowledgeChecksRunResponse] = WeakKeyDictionary()


def checked(
    call: Call, request: KnowledgeChecksRunRequest, seen: Seen = lambda share: True
) -> KnowledgeChecksRunResponse | None:
    """Check the scenes that a request names; None if it was told to stop."""
    project_id = request.project_id
    with call.store.read() as reader:
        story = reader.story(project_id)
        severity = _Severity(severities_in(story.settings))
        rules = [rule for rule in _wanted(request.rules) if severity.of(rule) != "off"]
        with call.indexes.lease(reader, project_id) as index:
            linter = Linter(reader, index, story.language, rules, seen)
            if not linter.read_all():
                return None
            scenes = chosen_scenes(reader, linter.scenes, request)
            is_whole = len(scenes) == len(linter.scenes)
            found = linter.everything(None if is_whole else {scene.id for scene in scenes})
            findings = shown(found, severity, reader.waivers.all_of(project_id))
            answer = KnowledgeChecksRunResponse(
                findings=tuple(findings),
                rule_count=len(rules),
                scene_count=len(scenes),
                character_count=sum(len(scene.text) for scene in scenes),
                revision=story.revision,
            )
            if is_whole and request.rules is None:
                _NEWEST[index] = answer
    return answer if seen(1.0) else None


def newest(call: Call, project_id: str) -> KnowledgeChecksRunResponse:
    """Return the findings of the whole story as it is now, checking it if it has changed since."""
    with call.store.read() as reader:
        story = reader.story(project_id)
        with call.indexes.lease(reader, project_id) as index:
            kept = _NEWEST.get(index)
    if kept is not None and kept.revision == story.revision:
        return kept
    answer = checked(call, KnowledgeChecksRunRequest(project_id=project_id))
    assert answer is not None, "nobody can stop it"
    return answer


def existing_finding(call: Call, project_id: str, finding_id: str) -> CheckFinding:
    """Return the finding as of now; NotFound if the story has none with this id."""
    found = {one.id: one for one in newest(call, project_id).findings}.get(finding_id)
    if found is None:
        raise NotFound(
            f"There is no finding '{finding_id}' in this story.",
            details={"id": finding_id},
            suggestion="Check the story again: the text or the fact has changed.",
        )
    return found


def shown(
    found: Iterable[Discovery], severity: _Severity, waivers: Iterable[Waiver]
) -> Iterator[CheckFinding]:
    """Yield what was found as findings; two that are the same in everything have different ids."""
    waived = {waiver_key(one.rule, one.facts, one.here, one.there): one.id for one in waivers}
    times: Counter[str] = Counter()
    for rule, one in found:
        key = one.key(rule.id)
        times[key] += 1
        waiver_id = waived.get(key) or waived.get(one.key(rule.id, with_aspects=False))
        yield CheckFinding(
            id=key if times[key] == 1 else f"{key}-{times[key]}",
            rule=rule.id,
            severity=severity.of(rule, one),
            message=one.message,
            entity_id=one.entity_id,
            name=one.name,
            here=one.here or WrittenHere(quotation=""),
            there=one.there,
            confidence=one.confidence,
            fixes=one.fixes,
            facts=one.facts,
            waived=waiver_id is not None,
            waiver_id=waiver_id,
        )


def _wanted(ids: Iterable[str] | None) -> list[ConsistencyRule]:
    if ids is None:
        return list(RULES)
    known = {rule.id: rule for rule in RULES}
    for one in ids:
        if one not in known:
            raise InvalidInput(
                f"There is no rule '{one}'.",
                details={"field": "rules", "rule": one},
                suggestion=f"Rules: {', '.join(known)}.",
            )
    return [rule for rule in RULES if rule.id in set(ids)]


def chosen_scenes(reader: Reader, scenes: Iterable[Scene], request: KnowledgeChecksRunRequest) -> list[Scene]:
    """Return the scenes that a request names."""
    chosen = [
        scene
        for scene in scenes
        if request.chapter in (None, scene.chapter_index) and request.scene in (None, scene.scene_index)
    ]
    if request.since_revision is None:
        return chosen
    log = reader.log.touched_since(request.project_id, request.since_revision, [SCENE.name])
    touched = {row_id for _, row_id in log}
    return [scene for scene in chosen if scene.id in touched]
