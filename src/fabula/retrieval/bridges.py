"""Between stages 2 and 3: entities that share a name with an anchor's text, for questions in several steps.

"When was the country that made the film taken?" names the film alone. Its text names the country, which need
not be an entity of the story; the text that tells when has that name, and the other words of the question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np

from fabula.index.arrays import Mask
from fabula.matching.implied import is_opener
from fabula.retrieval.hops import answered
from fabula.retrieval.reasons import Anchor, HopStep, ReachedEntity
from fabula.retrieval.rules import DEFAULT, Rules
from fabula.retrieval.world import World

# How near an entity can come that has the name and half of the other words of the question.
_NEARNESS = 0.6
_ENOUGH_WORDS, _LEAST_WORDS = 0.5, 0.1
_LEAST_ANCHOR = 0.4
# A path that answers the question this well needs no bridge.
_ANSWERED = 0.7
# A text with more names than this is about no one of them.
_MOST_NAMES = 40
_LONGEST_QUESTION = 400
_ASKS = re.compile(r"[?？]\W*$")
_NAME = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’-]+(?:(?: | of | de | the )[A-ZÀ-ÖØ-Þ][\w'’-]+)*")
_SENTENCE_ENDS = '.!?…“”"\n'


def with_bridged(
    world: World,
    query: str,
    anchors: Sequence[Anchor],
    reached: Sequence[ReachedEntity],
    allowed: Mask,
    rules: Rules = DEFAULT,
) -> list[ReachedEntity]:
    """The entities reached by hops, and over a name that two texts share, if a question is still open."""
    if not rules.hops or len(query) > _LONGEST_QUESTION or not _ASKS.search(query):
        return list(reached)
    if any(answered(one.path) >= _ANSWERED for one in reached):
        return list(reached)
    starts = [anchor for anchor in anchors if anchor.weight >= _LEAST_ANCHOR][: rules.bridged_anchors]
    others = _other_words(query, starts)
    steps = [step for anchor in starts for step in _steps(world, anchor, query, others, allowed, rules)]
    shares = _shares(world, others, {step.target for step in steps}, allowed)
    found: dict[int, HopStep] = {}
    for step in steps:
        share = shares.get(step.target, 0.0)
        strength = step.strength * min(1.0, share / _ENOUGH_WORDS)
        if share >= _LEAST_WORDS and (step.target not in found or found[step.target].strength < strength):
            found[step.target] = step._replace(strength=strength)
    for anchor in anchors:
        found.pop(anchor.slot, None)
    near = [
        one._replace(nearness=1 - (1 - one.nearness) * (1 - found.pop(one.slot).strength))
        if one.slot in found
        else one
        for one in reached
    ]
    return near + [ReachedEntity(slot, step.strength, (step,)) for slot, step in found.items()]


def _other_words(query: str, anchors: Iterable[Anchor]) -> str:
    """The question without the names of the anchors."""
    said = list(query)
    for anchor in anchors:
        for place in anchor.places:
            said[place.start : place.end] = " " * (place.end - place.start)
    return "".join(said)


def _steps(
    world: World, anchor: Anchor, query: str, others: str, allowed: Mask, rules: Rules
) -> Iterator[HopStep]:
    """The steps from an anchor to texts with a name of its own, weaker where many have it."""
    names = [name for name in dict.fromkeys(_names(world.text_of(anchor.slot))) if name not in query]
    if not names or len(names) > _MOST_NAMES:
        return
    asked = world.shared_words(f"{others} {' '.join(names)}", allowed, rules.bridged)
    held = {}
    for slot in asked.slots.tolist():
        text = world.text_of(slot) if slot != anchor.slot else ""
        if own := [name for name in names if name in text]:
            held[slot] = own
    # A name that many of them have tells them apart the less.
    spread = Counter(name for own in held.values() for name in own)
    for slot, own in held.items():
        name = min(own, key=lambda name: (spread[name], name))
        strength = anchor.weight * _NEARNESS * spread[name] ** -0.5
        yield HopStep(anchor.slot, slot, "bridge", "bridge", True, strength, asked=(name,))


def _names(text: str) -> Iterator[str]:
    """The capitalised names of a text, without single words that only begin a sentence."""
    for found in _NAME.finditer(text):
        before = text[: found.start()].rstrip(" ")[-1:]
        begins = not before or before in _SENTENCE_ENDS
        if " " in found[0] or not (begins or is_opener(found[0])):
            yield found[0]


def _shares(world: World, words: str, slots: Collection[int], allowed: Mask) -> dict[int, float]:
    """The share of some words in the text of each of these slots."""
    mask = np.zeros(world.population, dtype=np.bool_)
    mask[[*slots]] = True
    shared = world.shared_words(words, mask & allowed, len(slots)) if slots else None
    if shared is None or shared.ceiling <= 0:
        return {}
    found = zip(shared.slots.tolist(), (shared.scores / shared.ceiling).tolist(), strict=True)
    return dict(found)
