"""Words that indicate the time and the mood of a scene."""

from __future__ import annotations

import re
from collections import Counter

from fabula.model.relation import Language

_NUMBER = "[一二两三四五六七八九十百半数几\\d]"
_TIMES: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(
        rf"{_NUMBER}+(?:个)?(?:时辰|小时|天|日|夜|周|月|年|载)(?:之)?[后前]|第{_NUMBER}+[天日夜年]"
        "|次日|翌日|隔天|当[晚夜天日]|昨[晚夜天日]|今[晚夜早]|明[天日早晚]|清晨|早晨|凌晨|黎明|拂晓|正午|中午|午后|下午|傍晚|黄昏"
        "|入夜|夜里|深夜|半夜|子夜|除夕|元宵|中秋|初春|暮春|盛夏|深秋|隆冬"
    ),
    "en": re.compile(
        r"\b(?:(?:the|that|this)\s+(?:next|same|following|previous)?\s*(?:morning|afternoon|evening|night|day|week|month|winter|"
        r"spring|summer|autumn)|(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|many|several|some|\d+)\s+"
        r"(?:hour|day|night|week|month|year)s?\s+(?:later|ago|before|after)|at\s+(?:dawn|dusk|noon|midnight|sunrise|sunset)|"
        r"before\s+dawn|in\s+the\s+(?:morning|afternoon|evening)|yesterday|tomorrow|tonight)\b",
        re.IGNORECASE,
    ),
}

_MOODS: dict[Language, dict[str, str]] = {
    "zh": {
        "紧张": "急忙 慌忙 连忙 紧紧 屏住 警惕 危险 追杀 逃 猛地 骤然 刀 剑 血 杀",
        "悲伤": "泪 哭 悲 哀 痛心 哽咽 叹息 伤心 凄 葬 离别 死去",
        "喜悦": "笑 欢 喜 乐 高兴 开心 庆 兴奋 欣慰",
        "愤怒": "怒 恨 骂 吼 咬牙 喝道 愤 混账",
        "恐惧": "怕 恐 惊 颤抖 发抖 寒意 毛骨悚然 鬼 阴森",
        "温情": "温柔 轻声 抱住 握住 微笑 依偎 安慰 心疼 温暖",
        "平静": "静静 安静 缓缓 慢慢 平静 淡淡 悠悠 茶 月光",
    },
    "en": {
        "tense": "hurried suddenly danger knife sword blood fled chase rushed gun careful watch",
        "sad": "tears wept cried grief sorrow sighed mourning grave sobbed lonely lost",
        "joyful": "laughed smiled joy merry glad delighted cheer happy celebrated",
        "angry": "anger angry furious shouted rage hate cursed snarled",
        "fearful": "fear afraid terror trembled shivered dread horror ghost dark",
        "tender": "gently softly embraced kissed comfort warm tenderly held",
        "calm": "quiet quietly slowly calm peaceful still tea moonlight silence",
    },
}
_NEUTRAL: dict[Language, str] = {"zh": "平静", "en": "calm"}


def time_of(text: str, language: Language) -> str:
    """The first expression of time in the text; empty if there is none."""
    found = _TIMES[language].search(text)
    return found[0] if found else ""


def mood_of(text: str, language: Language) -> str:
    """The mood most words indicate, with the second one if it is close."""
    return mood_said(text, language) or _NEUTRAL[language]


def mood_said(text: str, language: Language) -> str:
    """The same, but empty if no word indicates a mood."""
    lowered = text.lower()
    votes: Counter[str] = Counter()
    for mood, words in _MOODS[language].items():
        votes[mood] = sum(lowered.count(word) for word in words.split())
    ((first, most), (second, next_most)) = votes.most_common(2)
    if not most:
        return ""
    joined = {"zh": "{}、{}", "en": "{}, {}"}[language]
    return joined.format(first, second) if next_most * 4 >= most * 3 else first
