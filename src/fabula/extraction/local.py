"""The local extractor: rules and statistics, no model, no network."""

from __future__ import annotations

import re

from fabula.extraction.chinese.names import read_chinese
from fabula.extraction.english.names import read_english
from fabula.extraction.found import FoundMentions
from fabula.extraction.known import Known, KnownNames
from fabula.extraction.local_drafts import local_drafts
from fabula.extraction.mentions import FoundMention, without_overlaps
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
    """Finds characters, places, groups, items and concepts by rules and statistics; threads may share it.

    Anything with a confidence below `threshold` is not proposed.
    """

    name = LOCAL_READER

    def __init__(self, *, rules_only: bool = False, threshold: float = DEFAULT_THRESHOLD) -> None:
        """Use the Chinese tagger if its weights are installed, unless `rules_only`."""
        self._rules_only = rules_only
        self._threshold = threshold

    def read(self, text: str, known: Known, language: Language, progress: Progress | None = None) -> Reading:
        """The drafts found; no part of the text ever fails."""
        return Reading(self.extract(text, known, language, progress))

    def extract(
        self, text: str, known: Known, language: Language, progress: Progress | None = None
    ) -> list[Draft]:
        """New entities, new aliases, and relations stated in the text."""
        known_names = KnownNames.of(known)
        found = self.found(text, known_names, language)
        drafts = self.drafts(text, found, known_names, language)
        if progress is not None:
            progress(1, 1)
        return drafts

    def drafts(
        self,
        text: str,
        found: FoundMentions,
        known_names: KnownNames,
        language: Language,
        *,
        is_book: bool = False,
    ) -> list[Draft]:
        """The drafts for what was found in a text, or in a whole book."""
        return local_drafts(text, found, known_names, language, self._threshold, is_book=is_book)

    def mentions(self, text: str, known: Known, language: Language) -> list[FoundMention]:
        """Every mention in a text, common nouns included."""
        return self.found(text, KnownNames.of(known), language).mentions

    def found(self, text: str, known_names: KnownNames, language: Language) -> FoundMentions:
        """The findings of both languages; a text may contain both."""
        han, latin = len(_HAN.findall(text)), len(_LATIN.findall(text))
        readers = []
        if han > _SHARE * latin or (language == "zh" and han):
            readers.append(read_chinese(text, known_names, self._tagger()))
        if latin > _SHARE * han:
            readers.append(read_english(text, known_names))
        mentions = without_overlaps(mention for found in readers for mention in found.mentions)
        return FoundMentions(mentions, [name for found in readers for name in found.names])

    def _tagger(self) -> Tagger | None:
        return None if self._rules_only else installed_tagger()
