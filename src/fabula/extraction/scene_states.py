"""The state of characters at the end of a scene, judged by keywords: hurt, asleep, afraid."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from fabula.extraction.mentions import FoundMention
from fabula.extraction.moods import mood_said
from fabula.extraction.summary import CharacterState
from fabula.model.relation import Language
from fabula.staging.dialogue import SPOKEN

# Words that indicate a state; those under the empty state end any state.
_WORDS: dict[Language, dict[str, str]] = {
    "zh": {
        "受伤": "受伤 重伤 负伤 受了伤 打伤 砍伤 刺伤 中箭 吐血",
        "昏迷": "昏迷 昏倒 晕倒 昏了过去 昏死 不省人事 晕了过去",
        "中毒": "中毒 中了毒 毒发",
        "生病": "病倒 生病 染病 发烧 卧病 一病不起",
        "已死": "死了 身亡 断了气 断气 气绝 咽了气 毙命 殒命 去世 病逝 归西 自尽 被杀",
        "被囚": "被擒 被捉 被抓 被关 被囚 下狱 入狱 被俘",
        "睡着": "睡着 入睡 睡熟 沉沉睡去 睡去",
        "": "痊愈 伤愈 病愈 醒来 苏醒 醒了 惊醒 获救 脱困 获释 逃脱",
    },
    "en": {
        "wounded": "was wounded|is wounded|was hurt|was injured|was stabbed|was shot|lay bleeding",
        "unconscious": "lay unconscious|fell unconscious|fainted|lost consciousness",
        "poisoned": "was poisoned",
        "ill": "fell ill|was ill|took ill|fell sick|had a fever",
        "dead": "was dead|died|was killed|was murdered|drowned",
        "captive": "was captured|was arrested|was imprisoned|was taken prisoner",
        "asleep": "fell asleep|was asleep|slept",
        "": "recovered|woke up|awoke|was rescued|was released|escaped|came to himself|came to herself",
    },
}


def _pattern(language: Language) -> re.Pattern[str]:
    words = [word for listed in _WORDS[language].values() for word in _listed(listed, language)]
    longest = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    return re.compile(longest if language == "zh" else rf"\b(?:{longest})\b", re.IGNORECASE)


def _listed(words: str, language: Language) -> list[str]:
    return words.split() if language == "zh" else words.split("|")


_STATE_OF: dict[Language, dict[str, str]] = {
    language: {word: state for state, words in table.items() for word in _listed(words, language)}
    for language, table in _WORDS.items()
}
_PATTERNS: dict[Language, re.Pattern[str]] = {language: _pattern(language) for language in _WORDS}
_DENIED = re.compile(
    r"(?:没有?|未曾?|不曾?|并非|险些|差点|\bnot\b|\bnever\b|\balmost\b|\bnearly\b)\W*$", re.I
)
_SUPPOSED = re.compile(r"若|如果|假如|要是|倘|\bif\b|\bwould\b", re.I)


def states_in(
    text: str,
    sentences: Sequence[tuple[int, int]],
    mentions: Sequence[FoundMention],
    people: Sequence[str],
    language: Language,
) -> tuple[CharacterState, ...]:
    """The state of each person as the narration tells it; the last word counts. Mentions must be in order."""
    states: dict[str, str] = {}
    moods: dict[str, str] = {}
    wanted = set(people)
    index = 0
    for start, end in sentences:
        present: list[FoundMention] = []
        while index < len(mentions) and mentions[index].start < end:
            if mentions[index].start >= start and _who(mentions[index]) in wanted:
                present.append(mentions[index])
            index += 1
        if not present:
            continue
        # Dialogue is blanked out character by character, so that offsets stay.
        told = SPOKEN.sub(lambda spoken: " " * len(spoken[0]), text[start:end])
        for found in _PATTERNS[language].finditer(told):
            before = told[: found.start()]
            if not _DENIED.search(before) and not _SUPPOSED.search(before):
                bearer = _bearer(told, present, start, found.start())
                states[bearer] = _STATE_OF[language][found[0].lower()]
        mood = mood_said(told, language) if len({_who(one) for one in present}) == 1 else ""
        if mood:
            moods[_who(present[0])] = mood
    return tuple(
        CharacterState(name=name, current_state=states.get(name), emotional_state=moods.get(name))
        for name in people
        if name in states or name in moods
    )


def carried_on(
    present: Sequence[str], said: Sequence[CharacterState], before: Mapping[str, CharacterState]
) -> tuple[CharacterState, ...]:
    """The state of each character present: as the scene says, else as when last seen."""
    now = {state.name: state for state in said}
    nothing = CharacterState(name="")
    carried = []
    for name in present:
        new, old = now.get(name, nothing), before.get(name, nothing)
        current = old.current_state if new.current_state is None else new.current_state
        mood = old.emotional_state if new.emotional_state is None else new.emotional_state
        carried.append(CharacterState(name=name, current_state=current or "", emotional_state=mood or ""))
    return tuple(carried)


def _who(mention: FoundMention) -> str:
    return mention.known or mention.text


def _bearer(told: str, present: Sequence[FoundMention], start: int, place: int) -> str:
    """The character a word describes: the last one named before it, or in a passive the one before that."""
    before = [one for one in present if one.start - start < place]
    if not before:
        return _who(present[0])
    last = before[-1]
    if len(before) > 1 and told[: last.start - start].rstrip().endswith(("被", "遭")):
        return _who(before[-2])
    return _who(last)
