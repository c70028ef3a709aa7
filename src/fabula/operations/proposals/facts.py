"""Writing what a text says about somebody: at first as their description, later as states."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fabula.canon import evidence
from fabula.canon import state as states
from fabula.canon.state import StateFields
from fabula.canon.step import Step
from fabula.extraction.facts.stated_fact import AGES
from fabula.model.entity import Entity
from fabula.model.evidence import Attested
from fabula.model.fact import FactKind, FactRef
from fabula.model.manuscript import Scene
from fabula.model.moment import Moment
from fabula.model.proposal import Proposal, ReadFact


class FactWriting:
    """Writes the facts of proposals, each from the scene on in which it is said."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self._scenes: dict[str, Scene | None] = {}

    def at_first(self, proposal: Proposal) -> str:
        """Return what is said about somebody in the scene where they appear."""
        return self._joined(fact.text for fact in self._first(proposal))

    def traits_at_first(self, proposal: Proposal) -> dict[str, Any]:
        """Return the attributes that the scene where somebody appears gives them."""
        traits: dict[str, Any] = {}
        for fact in self._first(proposal):
            traits |= fact.attributes
        return traits

    def write(self, entity: Entity, proposal: Proposal) -> None:
        """Write what later scenes say as states, and the evidence of everything that is said."""
        first = self._first(proposal)
        for fact in first:
            self._prove_fact(FactKind.ENTITY, entity.id, fact)
        later: dict[tuple[str, bool], list[ReadFact]] = {}
        for fact in proposal.facts:
            if fact.scene_id is not None and fact not in first:
                later.setdefault((fact.scene_id, _is_age(fact)), []).append(fact)
        for (scene_id, _), facts in later.items():
            scene = self._scene(scene_id)
            if scene is not None:
                self._state(entity, scene, facts)

    def prove(
        self,
        fact: FactRef,
        scene_id: str,
        quotation: str,
        start: int | None,
        attests: Attested | None = None,
    ) -> None:
        """Attach a quotation to a fact, if it stands in a scene of the story."""
        scene = self._scene(scene_id)
        if scene is not None:
            # Of a passage, what is counted from its beginning; words that stand there once need no place.
            is_elsewhere = start is not None and not scene.text.startswith(quotation, start)
            if is_elsewhere and scene.text.count(quotation) == 1:
                start = None
            evidence.attach(self._step, fact.kind, fact.id, scene, quotation, start, attests)

    def _state(self, entity: Entity, scene: Scene, facts: list[ReadFact]) -> None:
        attributes: dict[str, Any] = {}
        for fact in facts:
            attributes |= fact.attributes
        fields = StateFields.model_construct(
            description=self._joined(fact.text for fact in facts),
            attributes=attributes,
            since=Moment(chapter=scene.chapter_index, scene=scene.scene_index),
        )
        state = states.save(self._step, None, states.new_state(self._step, entity, fields))
        for fact in facts:
            self._prove_fact(FactKind.STATE, state.id, fact)

    def _first(self, proposal: Proposal) -> list[ReadFact]:
        return [
            fact
            for fact in proposal.facts
            if fact.scene_id is None or (fact.scene_id == proposal.manuscript_id and not _is_age(fact))
        ]

    def _prove_fact(self, kind: FactKind, fact_id: str, fact: ReadFact) -> None:
        if fact.scene_id is not None:
            said = Attested(text=fact.text, attributes=fact.attributes)
            told = FactRef(kind=kind, id=fact_id)
            self.prove(told, fact.scene_id, fact.source_text, fact.source_start, said)

    def _scene(self, scene_id: str) -> Scene | None:
        if scene_id not in self._scenes:
            self._scenes[scene_id] = self._step.manuscript.scene_of_id(self._step.project_id, scene_id)
        return self._scenes[scene_id]

    def _joined(self, texts: Iterable[str]) -> str:
        language = self._step.story(self._step.project_id).language
        return ("" if language == "zh" else " ").join(text for text in texts if text)


def _is_age(fact: ReadFact) -> bool:
    """Whether a fact is an age, which is true when it is said, and not of the person as such."""
    return not AGES.isdisjoint(fact.attributes)
