"""Who speaks in a text, to whom, and by which word they call them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from fabula.extraction.kin import KIN
from fabula.extraction.mentions import FoundMention
from fabula.extraction.ties.sentence import MarkedSentence
from fabula.model.relation import Language
from fabula.staging.dialogue import SPEECH_VERBS

OPENS, CLOSES = frozenset("“「『"), frozenset("”」』")
# A quotation that is never closed ends at last; an answer follows soon.
_LONGEST = 3_000
# Blanks and quotation marks before the first name of a sentence.
_FIRST = 3
_SOON: dict[Language, int] = {"zh": 160, "en": 500}

_SAYS_ZH = re.compile(r"(?:道|说|曰|问|喊|骂|答|叫|云|笑|嚷|叹|回|喝|称|奏)[：:，,]?\s*\Z")
_TO_ZH = re.compile("(?:对|向|与|和|谓|问|叫|唤|见|对着|向着)([\ue000-\ue3ff])[^\ue000-\ue3ff]{0,6}\\Z")
_CALLS_ZH = re.compile(
    "(?:好|我的|我|亲|老)?(" + "|".join(sorted(KIN["zh"], key=len, reverse=True)) + ")[，！!,。]"
)
# “Yes, papa,” and “Aunt, look!”: what somebody is to the speaker, however it is said.
_KIN_EN = {
    "father": "father papa dad daddy pa",
    "mother": "mother mamma mama mummy",
    "uncle": "uncle",
    "aunt": "aunt auntie aunty",
    "grandfather": "grandfather grandpapa grandpa",
    "grandmother": "grandmother grandmamma grandmama granny grandma",
}
_CALLED_EN = {said: word for word, forms in _KIN_EN.items() for said in forms.split()} | {
    "my son": "son",
    "my daughter": "daughter",
}
_CALLS_EN = re.compile(
    r"(?:\A|[,.!?—]\s+|[“\"]|\b(?:dear|dearest|yes|no|oh|but),?\s+)"
    rf"(?P<w>{'|'.join(sorted(_CALLED_EN, key=len, reverse=True))})(?:\s+dear)?[,.!?]",
    re.IGNORECASE,
)
# A priest is everybody's father.
_CLERGY = ("Father ", "Mother ", "Abb", "Bishop ", "Brother ", "Sister ", "Prior", "Monse")
_CLOSING = re.compile('[”"]')
_SAYS, _SAYS_NEXT = (
    re.compile(rf"[,\s]*(?:{SPEECH_VERBS})\s+"),
    re.compile(rf"\s+(?:\w+ly\s+)?(?:{SPEECH_VERBS})\b"),
)


class Exchange(NamedTuple):
    """Somebody answers somebody; `word` is what the speaker calls the hearer, if it is a word for kin."""

    speaker: FoundMention
    hearer: FoundMention
    word: str


class Dialogue:
    """Follows the quotation marks of a text: who speaks, and who spoke before."""

    def __init__(
        self, text: str, mentions: Sequence[FoundMention], starts: Sequence[int], language: Language
    ) -> None:
        self.exchanges: list[Exchange] = []
        self._text, self._language = text, language
        self._mentions, self._starts = mentions, starts
        self._opened: int | None = None
        self._closed = -_LONGEST
        self._subject: FoundMention | None = None
        self._speaker: FoundMention | None = None
        self._hearer: FoundMention | None = None
        self._last: FoundMention | None = None
        self._topic: FoundMention | None = None
        self._topics: dict[str, FoundMention] = {}

    @property
    def has_topics(self) -> bool:
        """Whether a pronoun of the narrator stands for whom the sentence before is about."""
        return self._opened is None and self._subject is not None and self._subject in self._topics.values()

    def placed(self, sentence: MarkedSentence) -> MarkedSentence:
        """The sentence with what is known about the speech it belongs to."""
        if self._opened is None:
            return sentence._replace(topic=self._topic, topics=dict(self._topics))
        return sentence._replace(is_speech=True, speaker=self._speaker, hearer=self._hearer)

    def note(self, sentence: MarkedSentence) -> None:
        """Go on after a sentence."""
        closing = self._text[sentence.end - 1]
        if self._opened is None:
            self._note_topics(sentence, closing)
        if self._opened is not None and sentence.end - self._opened > _LONGEST:
            self._opened = None
        if closing in OPENS or (closing == '"' and self._opened is None):
            self._open(sentence)
        elif closing in CLOSES or closing == '"':
            self._opened, self._closed = None, sentence.end

    def _note_topics(self, sentence: MarkedSentence, closing: str) -> None:
        """Remember who was the only one named, of all and of each sex; two of them leave it open."""
        people = {one.text: one for one in sentence.mentions if one.type == "character"}
        if people:
            self._topic = next(iter(people.values())) if len(people) == 1 else None
        for sex in "mf":
            named = [one for name, one in people.items() if sentence.sexes.get(name) == sex]
            if len(named) == 1:
                self._topics[sex] = named[0]
            elif named:
                self._topics.pop(sex, None)
        if people:
            self._subject = self._acting(sentence) if len(people) == 1 else None
        elif any(map(str.isalpha, self._text[sentence.start : sentence.end])):
            self._subject = None
        if closing == "\n":
            self._topic = self._subject = None
            self._topics.clear()

    @staticmethod
    def _acting(sentence: MarkedSentence) -> FoundMention | None:
        """The one person whom an English sentence is about: it begins with the name."""
        first = sentence.mentions[0]
        is_first = first.type == "character" and first.start - sentence.start <= _FIRST
        return first if is_first and not sentence.marked[1:].startswith(("’", "'")) else None

    def _open(self, sentence: MarkedSentence) -> None:
        self._opened = sentence.end
        is_soon = sentence.end - self._closed <= _SOON[self._language]
        before = self._speaker, self._hearer
        if self._language == "en" and before[0] is not None and self._goes_on(sentence.end):
            # “…,” said Kitty. “…”
            return
        self._last = (self._speaker or self._last) if is_soon else None
        self._speaker = self._hearer = None
        if self._language == "zh":
            self._said_before(sentence)
        else:
            self._speaker = self._said_after(sentence.end) or self._subject
        if self._speaker is None:
            return
        if self._hearer is None and self._last is not None and self._last.text != self._speaker.text:
            self._hearer = self._last
        if self._hearer is not None:
            self.exchanges.append(Exchange(self._speaker, self._hearer, self._word(sentence.end)))

    def _word(self, start: int) -> str:
        """The word for kin by which a quotation calls its hearer; empty if there is none."""
        if self._language == "zh":
            called = _CALLS_ZH.match(self._text, start)
            return called[1] if called else ""
        closing = _CLOSING.search(self._text, start, start + _LONGEST)
        heard = _CALLS_EN.search(self._text, start, closing.start() if closing else start)
        if heard is None or self._hearer is None or self._hearer.text.startswith(_CLERGY):
            return ""
        return _CALLED_EN[heard["w"].lower()]

    def _goes_on(self, place: int) -> bool:
        """Whether a quotation goes on with what was said before in the same paragraph."""
        return 0 <= self._closed < place and "\n\n" not in self._text[self._closed : place]

    def _said_before(self, sentence: MarkedSentence) -> None:
        """The speaker named before a quotation: 行者对八戒道：“…”."""
        people = [one for one in sentence.mentions if one.type == "character"]
        before = sentence.marked[:-1]
        if not people or not _SAYS_ZH.search(before):
            return
        self._speaker = people[0]
        to = _TO_ZH.search(before)
        if to is not None and sentence.mention(to[1]).text != people[0].text:
            self._hearer = sentence.mention(to[1])

    def _said_after(self, start: int) -> FoundMention | None:
        """The speaker named after a quotation: “…,” said Kitty; “…,” Kitty said."""
        closing = _CLOSING.search(self._text, start, start + _LONGEST)
        number = bisect_left(self._starts, closing.end()) if closing else len(self._starts)
        if closing is None or number == len(self._starts):
            return None
        named = self._mentions[number]
        between = self._text[closing.end() : named.start]
        is_said = _SAYS.fullmatch(between) is not None or (
            not between.strip(" ,") and _SAYS_NEXT.match(self._text, named.end) is not None
        )
        return named if is_said and named.type == "character" else None
