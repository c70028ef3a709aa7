"""A character's status: three standard words, and the words authors use for them in attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from fabula.model.names import name_key

CharacterStatus = Literal["active", "deceased", "absent"]
STATUS = "status"

_SAID: dict[CharacterStatus, str] = {
    "active": "active alive living present 活跃 在场 在世 活着 健在 存活 生还 正常",
    "deceased": """
        deceased dead killed died 死 死亡 已死 已死亡 身亡 已身亡 去世 已去世 亡故 已故 阵亡 牺牲 已牺牲
        陨落 已陨落
    """,
    "absent": """
        absent missing gone away lost disappeared vanished 失踪 下落不明 离开 已离开 离去 远行 缺席 不在
    """,
}
_STATUS_OF: dict[str, CharacterStatus] = {
    name_key(word): status for status, words in _SAID.items() for word in words.split()
}
# Names authors give the attribute for a status, or for whether somebody is alive.
STATUS_KEYS = frozenset(map(name_key, [STATUS, "state", "condition", "状态", "生死", "生存状态", "存亡"]))
ALIVE_KEYS = frozenset(map(name_key, ["alive", "living", "存活", "在世"]))
_YES_OR_NO: dict[str, CharacterStatus] = {
    **dict.fromkeys(map(name_key, ["yes", "true", "是"]), "active"),
    **dict.fromkeys(map(name_key, ["no", "false", "否"]), "deceased"),
}


def status_said(key: str, value: Any) -> CharacterStatus | None:
    """The status that an attribute gives a character; None if it gives no known one."""
    asked, word = name_key(key), name_key(str(value))
    if asked in STATUS_KEYS:
        return _STATUS_OF.get(word)
    return _YES_OR_NO.get(word) if asked in ALIVE_KEYS else None


def status_in(attributes: Mapping[str, Any]) -> CharacterStatus | None:
    """The status of a character with these attributes; `status` takes precedence over its synonyms."""
    found = {key: said for key, value in attributes.items() if (said := status_said(key, value)) is not None}
    return found.get(STATUS) or next(iter(found.values()), None)
