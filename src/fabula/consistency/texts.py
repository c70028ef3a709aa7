"""The words in which a checked passage is spoken of."""

from __future__ import annotations

from fabula.model.relation import Language

MESSAGES: dict[str, dict[Language, str]] = {
    "not_yet": {
        "zh": "“{name}”此时还没有出现在故事里。",
        "en": "“{name}” is not part of the story yet at this moment.",
    },
    "no_longer": {
        "zh": "“{name}”此时已经不在故事里了。",
        "en": "“{name}” is no longer part of the story at this moment.",
    },
    "dead": {
        "zh": "设定写明“{name}”已死；若是回忆或转述则无妨。",
        "en": "The story says that “{name}” is dead; a memory or a report of them is no mistake.",
    },
    "secret": {
        "zh": "“{name}”设为 {level}，这段文字却写出了这个名字。",
        "en": "“{name}” is set to {level}, and this passage names it.",
    },
}
