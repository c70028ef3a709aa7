"""A story with something of everything that a story can have."""

from __future__ import annotations

from typing import Any

from knowing_steps import PRIVATE_THINGS

Step = tuple[str, dict[str, Any]]

ERAS = {"kind": "eras", "eras": [{"name": "建安", "firstDay": -5}]}
SETTINGS = {"autoApprove": 0.9, "yes": ["no", 1, 1.0, True], "calendar": ERAS}
THEN = {"valid_from": -9, "valid_to": {"day": 2.5, "label": "前夜"}}
LATER = {"valid_from": {"day": 3, "label": "三日后"}, "told": {"chapter": 2}}
SOMETHING_OF_EVERYTHING: list[Step] = [
    ("title", {"title": "全", "settings": SETTINGS, "language": "en"}),
    (
        "entity",
        {"type": "location", "name": "名: 字", "description": "two\nlines\n", "attributes": {"null": None}},
    ),
    ("move", {"who": 0, "layoutX": 0.0, "layoutY": -1.5}),
    ("profile", {"who": 0, "type": "师从", "target": "师父"}),
    ("relation", {"who": 0, "other": 1, "relationType": "债主", "properties": {"a": [{"b": 1}]}}),
    ("relation", {"who": 0, "other": 1, "relationType": "债主", "since": {"chapter": 2}}),
    ("state", {"who": 1, "description": "病了。\n", "since": {"chapter": 1, "scene": 0}}),
    (
        "event",
        {"name": "夜宴", "roles": [{"name": "阿远", "role": "客"}, {"name": "谁"}], "summary": "来。"},
    ),
    ("entity", {"type": "event", "name": "无话", "aliases": ["没有话"]}),
    ("take_part", {"who": 0, "event": "无话", "properties": {"role": "客", "outcome": "醉"}, "since": None}),
    ("take_part", {"who": 1, "event": "夜宴", "properties": {"y": [1]}, "since": {"chapter": 2}}),
    ("part", {"number": 1}),
    (
        "entry",
        {"key": "CON", "category": "custom", "content": "规矩。", "keywords": ["礼"], "priority": -3},
    ),
    ("relation", {"who": 0, "other": 1, "relationType": "债主", **THEN}),
    ("state", {"who": 1, "description": "好了。", **LATER}),
    ("entity", {"type": "item", "name": "旧印", **THEN, "told": {"chapter": 0}}),
    ("entry", {"key": "律", "category": "custom", "content": "旧律。", **LATER}),
    ("scene", {"chapter": 0, "scene": 3, "text": "十年前。", "world_time": {"day": -3650, "end": 0.5}}),
    ("book", {"name": "别人的书", "activation": "sillytavern", "settings": {"scanDepth": 3}}),
    ("book", {"name": "", "source": "persona"}),
    ("book", {"name": "又一本", "source": "persona", "enabled": False, "extensions": {"a": [1]}}),
    ("book_entry", {"number": 0, "key": "CON", "content": "", "keywords": ["/雾+/i"]}),
    ("book_entry", {"number": 0, "key": "雾", "content": "雾里有人。", "keywords": ["雾"]}),
    ("book_entry", {"number": 1, "key": "CON", "content": "另一个。"}),
    ("rebook", {"number": 1, "enabled": True}),
    ("shelve", {"number": 1, "entry": 0}),
    ("display", {"key": "苏晚", "display_name": "晚儿"}),
    ("scene", {"chapter": 0, "scene": 1, "text": "\ufeff雾。\r\n\n没有换行", "title": "起雾"}),
    ("scene", {"chapter": 0, "scene": 2, "text": "", "title": ""}),
    *(
        ("plan", {"chapter": 0, "scene": 1 + who, "who": who, "notes": "慢一点。\n", "word_goal": 800})
        for who in range(3)
    ),
    ("chapter", {"number": 0, "title": "第一章"}),
    ("chapter", {"number": 3, "title": ""}),
    ("snapshot", {"chapter": 0, "scene": 1, "summary": "起雾了。", "names": ["林远"]}),
    ("snapshot", {"chapter": 2, "scene": 0, "summary": "", "names": []}),
    ("evidence", {"who": 0, "chapter": 0, "scene": 1, "length": 2}),
    (
        "thread",
        {
            "title": "雾: 里",
            "note": "two\nlines",
            "who": 0,
            "chapter": 0,
            "scene": 1,
            "length": 3,
            "due": {"chapter": 2},
            "dropped": True,
            "secrecy": "private",
        },
    ),
    ("mark", {"number": 0, "role": "payoffs", "chapter": 0, "scene": 1}),
    ("entity", {"type": "character", "name": "Anna"}),
    ("names", {"who": 0, "other": None, "name": "旧名", "since": {"chapter": 1}, "until": None}),
    ("reveal", {"who": 0, "other": 3, "chapter": 4, "scene": 0, "known": None}),
    ("scene", {"chapter": 5, "scene": 0, "text": "Anna had grey eyes."}),
    ("scene", {"chapter": 5, "scene": 1, "text": "Nobody could forget Anna’s blue eyes."}),
    ("waive", {"reason": "有意。", "number": 0}),
    *PRIVATE_THINGS,
    ("propose", {"name": "灰衣人", "attributes": {"age": 40}, "action": "rejected", "chapter": 0}),
    ("propose", {"name": "黑衣人", "attributes": {}, "action": None, "chapter": None}),
]
