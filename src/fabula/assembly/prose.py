"""Find where sentences end, in Chinese and in English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_CLOSERS = "」』”’）】》〉)\\]\"'"
_END = re.compile(
    rf"[。！？…]+[{_CLOSERS}！？]*"
    rf"|[!?]+[{_CLOSERS}]*(?=\s|\Z|[\u3000-\u9fff\uff00-\uffef])"
    rf"|(?P<stop>\.+)[{_CLOSERS}]*(?=\s|\Z|[\u3000-\u9fff])"
    r"|\n+"
)
_LAST_WORD = re.compile(r"[\w.]+\Z")
_NEXT_LETTER = re.compile(r"\s*(\S?)")
# The beginning of a line tells what kind of line it is.
_LINE = re.compile(r"(?P<indent>\s{0,200})(?P<rest>[^\n]{0,100})")
_BARE_INDENT = re.compile(r"[ \t]*")
# The key of a line such as "age: 27" or "Mother Tongue: none": one word, or a few starting with a capital.
_KEY_WORD = r"[^\s.。!?！？:：,，;；、…]{1,20}"
_STRUCTURE = re.compile(
    r"(?P<heading>#{1,6} )|(?P<list>[-*•–] ?|\d{1,3}[.)、．])"
    rf"|(?P<field>(?:{_KEY_WORD}|[^\Wa-z]{_KEY_WORD}?(?: {_KEY_WORD}){{1,2}}) ?[:：])(?!//)(?=.*\S)"
)
_ABBREVIATIONS_WORDS = """
    mr mrs ms mx dr prof st sr jr rev hon capt cpt col gen lt sgt maj adm gov pres mt ft vs cf eg
    ie e.g i.e no nos vol ch pp fig ca approx dept est inc ltd co corp messrs mme mlle a.m p.m
"""
_ABBREVIATIONS = frozenset(_ABBREVIATIONS_WORDS.split())


def sentence_ends(text: str, limit: int | None = None) -> Iterator[int]:
    """Yield the position after each sentence, including closing quotes, up to position `limit`."""
    stop = len(text) if limit is None else limit
    # Closing marks may extend beyond the limit; the sentence then ends beyond it, too.
    for found in _END.finditer(text, 0, min(len(text), stop + 64)):
        if found.end() > stop:
            return
        if found["stop"] is None or _ends_with_stop(text, found):
            yield found.end()


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences, which together cover the text."""
    start = 0
    for end in sentence_ends(text):
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)


def whole_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences, which together cover the text; a single line break ends none.

    Manuscripts may be hard-wrapped, so a sentence can continue on the next line. It ends at an empty line,
    before a paragraph indented with ideographic spaces, after a heading, and between the items of a list or
    of lines such as "age: 27", unless the next one is indented below it.
    """
    start = 0
    for end in sentence_ends(text):
        if text[end - 1] != "\n" or _ends_a_paragraph(text, start, end):
            yield start, end
            start = end
    if start < len(text):
        yield start, len(text)


def _ends_a_paragraph(text: str, start: int, end: int) -> bool:
    """Whether the sentence that begins at `start` ends with the line break before `end`."""
    after = _LINE.match(text, end)
    if text.endswith("\n\n", start, end) or after is None or not _BARE_INDENT.fullmatch(after["indent"]):
        return True
    first = _LINE.match(text, start)
    if first is None or first.start("rest") >= end:
        return False
    structure = _STRUCTURE.match(first["rest"])
    if structure is None:
        return False
    if structure.lastgroup == "heading":
        return True
    following = _STRUCTURE.match(after["rest"])
    return (
        following is not None
        and following.lastgroup == structure.lastgroup
        and len(after["indent"]) <= len(first["indent"].rpartition("\n")[2])
    )


def touched_sentences(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences that overlap any of the given spans, in order."""
    given = iter(sorted((start, max(end, start + 1)) for start, end in spans))
    first, last = next(given, (0, 0))
    if not last:
        return
    for start, end in whole_sentences(text):
        while last <= start:
            following = next(given, None)
            if following is None:
                return
            # A span may extend beyond later ones.
            first, last = following[0], max(last, following[1])
        if first < end:
            yield start, end


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text without the sentences that overlap any of the spans."""
    kept = []
    done = 0
    for start, end in touched_sentences(text, spans):
        kept.append(text[done:start])
        if text[start:end].rstrip(" ").endswith("\n") and not text[done:start].endswith("\n"):
            # Keep the line break, or the next line would be joined to the previous one.
            kept.append("\n")
        done = end
    if not done:
        return text
    kept.append(text[done:])
    return "".join(kept).strip()


def _ends_with_stop(text: str, found: re.Match[str]) -> bool:
    """Whether a full stop ends a sentence rather than an abbreviation, an initial or a pause."""
    after = _NEXT_LETTER.match(text, found.end())
    if after is not None and after[1].islower():
        return False
    if len(found["stop"]) > 1:
        return True
    before = _LAST_WORD.search(text, max(0, found.start() - 24), found.start())
    if before is None:
        return True
    word = before[0]
    if len(word) == 1 and word.isalpha() and word.isupper() and word != "I":
        return False
    return word.lower() not in _ABBREVIATIONS
