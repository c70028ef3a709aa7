"""The reasons why a candidate is in a context or left out, with their texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fabula.model.bilingual import Bilingual


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason in the trace.

    `code` is its name on the wire, `words` is the text that the terminal and the page show, and `meaning` is
    how the documentation explains it. What is left out for a `hushed` reason is not named in the trace.
    """

    code: str
    outcome: Literal["in", "out", "both"]
    words: Bilingual
    meaning: str
    hushed: bool = True


ALWAYS = Reason("always", "in", Bilingual("always told", "始终告知"), "its level is `always`")
PINNED = Reason("pinned", "in", Bilingual("pinned", "手动指定"), "the call names its id")
DETECTED = Reason(
    "detected",
    "in",
    Bilingual("named in the text", "文中提到"),
    "a name, alias or keyword was found: see `matches`",
)
RELATED = Reason("related", "in", Bilingual("related", "相关"), "a relation of an admitted entity")
RECENT_SCENE = Reason(
    "recent_scene", "in", Bilingual("recent scene", "最近场景"), "one of the last three snapshots"
)
ACTIVE = Reason(
    "active",
    "in",
    Bilingual("was on stage", "刚才在场"),
    "on stage in the last scene, or in the two before it and named now",
)
RECALLED = Reason(
    "recalled",
    "in",
    Bilingual("comes to mind", "由文联想"),
    "an entry, an event or a quotation that the retrieval found: see `hopPath` and `score`",
)
DISABLED = Reason("disabled", "out", Bilingual("switched off", "已停用"), "`enabled` is false", hushed=False)
LEVEL_NEVER = Reason(
    "level_never",
    "out",
    Bilingual("never told", "绝不告知"),
    "its level is `never`; for a character on stage also: not pinned or not part of the story at this moment",
)
LEVEL_MANUAL_ONLY = Reason(
    "level_manual_only",
    "out",
    Bilingual("only by hand: pin it", "仅手动：可固定"),
    "found, but `manual_only` and not pinned",
)
NOT_YET = Reason(
    "not_yet", "out", Bilingual("not true yet", "尚未发生"), "its `since` is later than the scene"
)
NOT_YET_NAMED = Reason(
    "not_yet_named",
    "out",
    Bilingual("the manuscript names it only later", "正文之后才提到"),
    "it has no `since`, and the manuscript names it only in later scenes",
)
UNREVEALED = Reason(
    "unrevealed",
    "out",
    Bilingual("not revealed yet", "尚未揭晓"),
    "a relation that says of two entities that they are one, before their reveal",
)
NO_LONGER = Reason(
    "no_longer", "out", Bilingual("not true any more", "已不成立"), "its `until` is before the scene"
)
NAMES_A_SECRET = Reason(
    "names_a_secret",
    "both",
    Bilingual("names a secret", "涉及秘密"),
    "in without the sentences that name a secret, if it is a summary; out if nothing is left, or if its own "
    "name would give a secret away",
)
NOT_KNOWN = Reason(
    "not_known",
    "out",
    Bilingual("the point of view does not know it", "视角人物不知情"),
    "it is private, and the person from whose point of view the context is told does not know it",
)
BELIEVED = Reason(
    "believed",
    "in",
    Bilingual("told as they believe it", "按其所信告知"),
    "what the point of view holds true in the place of a fact",
)
KNOWLEDGE = Reason(
    "knowledge",
    "in",
    Bilingual("who knows what", "谁知道什么"),
    "a private fact that touches those on stage, with who knows it",
)
BELOW_LINE = Reason(
    "below_line",
    "out",
    Bilingual("bears too little on the text", "与文中所写关联不足"),
    "the retrieval found it, but its `score` is below `threshold`; only the best few of them are listed. "
    "A relation without a threshold says no more than that two know each other, as many do",
    hushed=False,
)
EMPTY = Reason(
    "empty", "out", Bilingual("says nothing", "没有内容"), "it has no text but its own name", hushed=False
)
BUDGET = Reason(
    "budget", "out", Bilingual("no room", "预算不足"), "it did not fit: see `missingTokens`", hushed=False
)
OPEN_THREAD = Reason(
    "open_thread",
    "in",
    Bilingual("an open thread", "未了的线索"),
    "a thread that is open, of somebody on stage or of nobody in particular",
)
THREAD_DUE = Reason(
    "thread_due", "in", Bilingual("a thread that is due", "应了结的线索"), "a thread that is due or overdue"
)
OFF_STAGE = Reason(
    "off_stage",
    "out",
    Bilingual("its people are not on stage", "相关人物不在场"),
    "a thread that is open and not due, and none of its people is on stage",
    hushed=False,
)
STALE = Reason(
    "no_longer_said",
    "out",
    Bilingual("the manuscript no longer says it", "正文已不再这样写"),
    "it rests on words that no longer stand in the manuscript, and the story withholds such facts",
    hushed=False,
)
