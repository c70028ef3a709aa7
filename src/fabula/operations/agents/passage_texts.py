"""The words in which a checked passage is spoken of, and those that say that somebody is dead."""

from __future__ import annotations

from fabula.model.names import name_key
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

# What authors call the attribute that says how somebody is, and what it says of the dead.
STATUS_KEYS = frozenset(map(name_key, ["status", "state", "condition", "状态", "生死", "生存状态", "存亡"]))
DEAD_WORDS = frozenset(
    map(
        name_key,
        [
            "dead",
            "deceased",
            "killed",
            "died",
            "死",
            "死亡",
            "已死",
            "已死亡",
            "身亡",
            "已身亡",
            "去世",
            "已去世",
            "亡故",
            "已故",
            "阵亡",
            "牺牲",
            "已牺牲",
            "陨落",
            "已陨落",
        ],
    )
)
# Or the attribute asks whether they live.
ALIVE_KEYS = frozenset(map(name_key, ["alive", "living", "存活", "在世"]))
NO_WORDS = frozenset(map(name_key, ["no", "false", "否"]))
