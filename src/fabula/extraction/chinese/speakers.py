"""Titles that a book uses as a name: 行者, 如来. They speak often, and nobody says "a 行者" of them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf

from ahocorasick_rs import AhoCorasick

from fabula.extraction.chinese.book_evidence import INDEFINITE
from fabula.extraction.chinese.nouns import PEOPLE
from fabula.extraction.chinese.suffixes import TITLES
from fabula.extraction.chinese.surnames import SURNAMES
from fabula.extraction.found import FoundMentions, FoundName
from fabula.extraction.mentions import FoundMention, without_overlaps
from fabula.extraction.wordlist import words

_MANNERS = words("""
    高声 厉声 点头 摇头 拍手 微微 冷笑 含笑 应声 连忙 听了 听说 闻言 见了 低头 赌气 合掌 躬身 拱手 跪下
    起身 上前 近前 向前 欠身 顿首 叩头 磕头 悄悄 插口 叹气 一面 大喝 高叫 沉声 低声 轻声 淡淡 缓缓 忽然
    心想 心下 心中 暗想 礼 笑 忙 大 怒 骂 哭 叹 喝 叫 答 问 暗 冷 又 便 也 乃 即 就 都 只 且 因 遂 急 喜
    惊 慌 陪 赔 回 说 应 劝 啐 方 再 先 接 听 见 道 喊 启 奏 曰 忽 想 思 自 才 却 亦
""")
_MANNER = "|".join(sorted(_MANNERS, key=len, reverse=True))
_SPOKEN = re.compile(r"(?<![\u4e00-\u9fff])([\u4e00-\u9fff]{2,14}?[道曰说說问問云])[：:]\s*[“「『]")
_SPEAKER = re.compile(
    rf"(?:却说|且说|话说|只见|只听|又见|忽见|那|这)?(.{{2,4}}?)(?:{_MANNER}){{0,4}}[道曰说說问問云]"
)
_WITH = frozenset("与與和同对對向跟被叫请請问問随隨等教把将將见見")
# 心中, 口里, 便笑: how others speak.
_NO_NAME = frozenset("心口手眼便因又都忙也只方才一有那这這众眾两兩几幾诸諸各每某此回连連对對向大冷笑自")
_FEWEST, _A_CHARACTER_OF = 6, 60_000
_RARELY_INDEFINITE, _RARELY_MANY, _WITH_OTHERS = 0.1, 0.03, 0.02
_MANY = frozenset("们們等")
_POINTING, _SAYING = frozenset("那这這好"), frozenset("道曰说說忙笑")
# 凤姐儿 and 贾氏 are names; 黛玉素 is not, however often 黛玉 stands before 素.
_ENDS_NAMES = frozenset("儿氏家姐哥爷爺公王老")
_VERBS = frozenset("蒙奉瞧保见請请叫把被与和同对向给让找送接拜谢求救拿捉打骂杀告报听看教命差令劝随引领到将")
_MORE, _FAR_MORE, _TWO_NAMES, _FULL_NAME = 3, 30, 2, 4
_SURE, _SOMEWHERE, _LONGER, _TITLE = 0.95, 0.75, 0.65, 0.6
_EVERYWHERE, _PARTS = 0.25, 100


def with_titles(found: FoundMentions, text: str) -> FoundMentions:
    """The findings, with the titles that serve as names, and without 那 before a name or 道 after it."""
    found = _trimmed(found)
    times = {name.text: name.times for name in found.names}
    heard = _speakers(text)
    fewest = max(_FEWEST, len(text) // _A_CHARACTER_OF)
    wanted = [name for name, count in heard.items() if count >= fewest and name[0] not in _NO_NAME]
    fresh = {
        name: places
        for name, places in _places(text, wanted).items()
        if 2 * times.get(name, 0) < len(places) and _is_used_as_name(text, places, len(name), heard[name])
    }
    return _with(found, fresh, len(text)) if fresh else found


def _trimmed(found: FoundMentions) -> FoundMentions:
    """The findings with 那呆子 counted as 呆子, 三藏道 as 三藏, and 宝玉黛玉 as the two that they are."""
    names = {name.text: name for name in found.names}
    cuts = {
        name.text: cut
        for name in found.names
        if name.type == "character" or name.text[-1] in _SAYING
        if (cut := _cut(name, names)) is not None
    }
    if not cuts:
        return found
    mentions: list[FoundMention] = []
    for mention in found.mentions:
        cut = cuts.get(mention.text) if mention.named and mention.known is None else None
        if cut is None:
            mentions.append(mention)
            continue
        for skip, rest in cut:
            start = mention.start + skip
            own = names[rest]
            mentions.append(FoundMention(start, start + len(rest), rest, own.type, own.confidence))
    times = Counter(mention.text for mention in mentions if mention.named)
    kept = [name._replace(times=times[name.text]) for name in found.names if name.text not in cuts]
    return FoundMentions(mentions, kept)


def _cut(name: FoundName, names: Mapping[str, FoundName]) -> list[tuple[int, str]] | None:
    """The names inside a string that is none itself, each with its offset."""

    def times(text: str) -> int:
        return names[text].times if text in names and names[text].type == "character" else 0

    text, first, last = name.text, name.text[0], name.text[-1]
    if len(text) > 2 and first in _POINTING and _TWO_NAMES * times(text[1:]) > name.times:
        return [(1, text[1:])]
    if len(text) > 2 and times(text[:-1]) > (1 if last in _SAYING else _FAR_MORE) * name.times:
        return [(0, text[:-1])] if last not in _ENDS_NAMES and text[-2:] not in TITLES else None
    if len(text) > 2 and times(text[1:]) > _times_more(text) * name.times:
        return [(1, text[1:])]
    for size in range(2, len(text) - 1):
        one, other = text[:size], text[size:]
        if min(times(one), times(other)) > _TWO_NAMES * name.times and other not in TITLES:
            return [(0, one), (size, other)]
    return None


def _times_more(text: str) -> float:
    """How much more often a string must stand without its first character to be a name without it."""
    if text[0] not in _VERBS:
        return inf if text[0] in SURNAMES else _FAR_MORE
    # 谢 and 蒙 are family names, too; those of four characters are rare: 蒙观音菩萨.
    return _FAR_MORE if text[0] in SURNAMES and len(text) < _FULL_NAME else _MORE


def _speakers(text: str) -> Counter[str]:
    """How often each string stands where a speaker does."""
    heard: Counter[str] = Counter()
    for clause in _SPOKEN.finditer(text):
        speaker = _SPEAKER.fullmatch(clause[1])
        if speaker is not None:
            heard[speaker[1]] += 1
    return heard


def _places(text: str, names: Sequence[str]) -> dict[str, list[int]]:
    places: defaultdict[str, list[int]] = defaultdict(list)
    if names:
        search = AhoCorasick(names, store_patterns=False)
        for index, start, _ in search.find_matches_as_indexes(text, overlapping=True):
            places[names[index]].append(start)
    return places


def _is_used_as_name(text: str, places: Sequence[int], size: int, spoken: int) -> bool:
    before = Counter(text[place - 1 : place] for place in places)
    after = Counter(text[place + size : place + size + 1] for place in places)
    indefinite = sum(before[one] for one in INDEFINITE) / len(places)
    together = sum(before[one] for one in _WITH) / len(places)
    many = sum(after[one] for one in _MANY) / len(places)
    return (
        indefinite <= _RARELY_INDEFINITE
        and together >= _WITH_OTHERS
        and many <= _RARELY_MANY
        and spoken < 0.8 * len(places)
    )


def _with(found: FoundMentions, fresh: dict[str, list[int]], size: int) -> FoundMentions:
    """The findings with further names, wherever they stand outside a longer name."""
    added = [
        FoundMention(place, place + len(name), name, "character", _SURE)
        for name, places in fresh.items()
        for place in places
    ]
    named = [mention for mention in found.mentions if mention.named]
    named = _composed(sorted([*named, *_outside(named, without_overlaps(added))]), fresh)
    nouns = [mention for mention in found.mentions if not mention.named]
    mentions = sorted([*named, *_outside(named, nouns)])
    times = Counter(mention.text for mention in mentions if mention.named)
    parts = {name: len({place * _PARTS // size for place in places}) for name, places in fresh.items()}
    names = [name._replace(times=times[name.text]) for name in found.names if name.text not in fresh]
    known = {name.text for name in names}
    names += [
        FoundName(name, "character", times[name], _confidence(name, parts[name]))
        for name in fresh
        if times[name]
    ]
    longer = {mention.text for mention in named if mention.confidence == _LONGER} - known
    names += [FoundName(name, "character", times[name], _LONGER) for name in sorted(longer)]
    return FoundMentions(mentions, names)


def _composed(mentions: Sequence[FoundMention], titles: Container[str]) -> list[FoundMention]:
    """The mentions with a name and the title right after it as one: 惠岸行者 is not the other 行者."""
    pairs = Counter(
        one.text + title.text
        for one, title in pairwise(mentions)
        if one.end == title.start and title.text in titles and one.type == "character" and one.known is None
    )
    whole: list[FoundMention] = []
    for mention in mentions:
        before = whole[-1] if whole else None
        both = before.text + mention.text if before is not None else ""
        if before is not None and before.end == mention.start and pairs[both] > 1:
            whole[-1] = before._replace(end=mention.end, text=both, confidence=_LONGER)
        else:
            whole.append(mention)
    return whole


def _outside(mentions: Sequence[FoundMention], others: Iterable[FoundMention]) -> Iterator[FoundMention]:
    """Those of the others that overlap none of the mentions; both are in order."""
    index = 0
    for other in others:
        while index < len(mentions) and mentions[index].end <= other.start:
            index += 1
        if index == len(mentions) or mentions[index].start >= other.end:
            yield other


def _confidence(name: str, parts: int) -> float:
    """Titles and nouns such as 老太太 are names only if the rest of the book joins them with somebody."""
    if name in PEOPLE or name in TITLES:
        return _TITLE
    return _SURE if parts >= _EVERYWHERE * _PARTS else _SOMEWHERE
