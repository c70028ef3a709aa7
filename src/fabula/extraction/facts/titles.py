"""What the titles in somebody's other names say: 魏征丞相 is a chancellor, Prince Oblonsky a prince."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fabula.extraction.english.aliases import parts_of
from fabula.extraction.facts.composed import PlacedFact
from fabula.extraction.mentions import FoundMention
from fabula.extraction.ties.drafts import Somebody
from fabula.extraction.wordlist import word_set, words
from fabula.model.relation import Language

_RANKS_ZH = tuple(
    sorted(
        words("""
    皇帝 国王 皇后 太后 贵妃 娘娘 太子 公主 郡主 王爷 丞相 宰相 太师 太尉 尚书 侍郎 御史 太守 知府 知县
    刺史 将军 元帅 都督 提督 总督 总兵 统制 提辖 都头 教头 军师 国师 员外 秀才 举人 状元 探花 和尚 法师
    禅师 长老 方丈 道士 道人 真人 真君 天师 菩萨 佛祖 罗汉 星君 天王 龙王 魔王 妖王 大王 大仙 仙姑 判官
    嬷嬷 姨娘 夫人 寨主 帮主 掌门 教主 宗主 盟主 城主 族长 教授 医生 大夫 律师 队长 局长 院长 校长 主任
    经理 老板 总裁 董事长
"""),
        key=len,
        reverse=True,
    )
)
_RANKS_EN = word_set("""
    Prince Princess Count Countess Duke Duchess Baron Baroness Marquis Marquess Viscount Earl Professor
    Doctor Captain Colonel General Major Lieutenant Sergeant Corporal Admiral Commodore Inspector
    Constable Bishop Archbishop Cardinal Judge King Queen Emperor Empress Senator President Governor
    Mayor Abbess Abbot Sheriff Ambassador Nurse Clergyman Lord Squire
""")
_WRITTEN_OUT = {"Dr": "Doctor", "Prof": "Professor", "Capt": "Captain", "Col": "Colonel", "Gen": "General",
                "Maj": "Major", "Lt": "Lieutenant", "Sgt": "Sergeant", "Rev": "Clergyman",
                "Reverend": "Clergyman"}  # fmt: skip


def facts_of_titles(
    mentions: Iterable[FoundMention], who: Mapping[str, Somebody], language: Language
) -> Iterator[PlacedFact]:
    """The title of everybody who has one, where it stands first, unless their main name shows it."""
    said: set[tuple[str, str]] = set()
    for mention in mentions:
        somebody = who[mention.known or mention.text]
        if mention.type != "character":
            continue
        title = _title_zh(mention.text) if language == "zh" else _title_en(mention.text)
        if not title or (somebody.name, title) in said:
            continue
        said.add((somebody.name, title))
        # 王夫人 is visibly a 夫人; what an abbreviation stands for is worth a word.
        if title in somebody.name:
            continue
        kind = "rank" if mention.text == somebody.name else "title"
        text = f"{title}。" if language == "zh" else f"{'An' if title[0] in 'AEIO' else 'A'} {title.lower()}."
        yield PlacedFact(somebody.name, kind, text, "", mention.start, mention.end)


def _title_zh(name: str) -> str:
    return next((title for title in _RANKS_ZH if name.endswith(title) and len(name) > len(title)), "")


def _title_en(name: str) -> str:
    titles = (_WRITTEN_OUT.get(title, title) for title in parts_of(name)[0])
    return next((title for title in titles if title in _RANKS_EN), "")
