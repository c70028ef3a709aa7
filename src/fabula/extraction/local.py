"""The local extractor: rules and statistics, no model, no network."""

from __future__ import annotations

import re

from fabula.extraction.chinese.names import read_chinese
from fabula.extraction.english.names import read_english
from fabula.extraction.found import FoundMentions
from fabula.extraction.known import Acquaintances, Known
from fabula.extraction.local_drafts import local_drafts
from fabula.extraction.mentions import Mention, without_overlaps
from fabula.extraction.port import Progress, Reading
from fabula.extraction.tagger import Tagger
from fabula.extraction.tagger_weights import installed_tagger
from fabula.model.proposal import LOCAL_READER, Draft
from fabula.model.relation import Language

DEFAULT_THRESHOLD = 0.5

_HAN = re.compile("[\u3400-\u9fff]")
_LATIN = re.compile("[A-Za-z]")
_SHARE = 0.1


class LocalExtractor:
    """Finds people, places, groups, items and terms by rules and statistics; threads may share it.

    What it is less sure of than `threshold` is not proposed.
    """

    name = LOCAL_READER

    def __init__(self, *, rules_only: bool = False, threshold: float = DEFAULT_THRESHOLD) -> None:
        """With the tagger for Chinese if its weights are installed, unless only rules are wanted."""
        self._rules_only = rules_only
        self._threshold = threshold

    def read(self, text: str, known: Known, language: Language, progress: Progress | None = None) -> Reading:
        """What is found; the whole text is always read."""
        return Reading(self.extract(text, known, language, progress))

    def extract(
        self, text: str, known: Known, language: Language, progress: Progress | None = None
    ) -> list[Draft]:
        """People, places and things that are new, other names, and relations that the text says."""
        acquaintances = Acquaintances.of(known)
        found = self.found(text, acquaintances, language)
        drafts = self.drafts(text, found, acquaintances, language)
        if progress is not None:
            progress(1, 1)
        return drafts

    def drafts(
        self, text: str, found: FoundMentions, acquaintances: Acquaintances, language: Language
    ) -> list[Draft]:
        """What to propose of that which was found in a text."""
        return local_drafts(text, found, acquaintances, language, self._threshold)

    def mentions(self, text: str, known: Known, language: Language) -> list[Mention]:
        """Every place where somebody or something is spoken of, common nouns included."""
        return self.found(text, Acquaintances.of(known), language).mentions

    def found(self, text: str, acquaintances: Acquaintances, language: Language) -> FoundMentions:
        """What each language's reader finds; a text may hold both."""
        han, latin = len(_HAN.findall(text)), len(_LATIN.findall(text))
        readers = []
        if han > _SHARE * latin or (language == "zh" and han):
            readers.append(read_chinese(text, acquaintances, self._tagger()))
        if latin > _SHARE * han:
            readers.append(read_english(text, acquaintances))
        mentions = without_overlaps(mention for found in readers for mention in found.mentions)
        return FoundMentions(mentions, [name for found in readers for name in found.names])

    def _tagger(self) -> Tagger | None:
        return None if self._rules_only else installed_tagger()
