"""The readers of the parts of a story, all on one connection."""

from __future__ import annotations

from functools import cached_property

from fabula.store.accounts import AccountReader
from fabula.store.book_reader import BookReader
from fabula.store.conversations import ConversationReader
from fabula.store.dated import DatedReader
from fabula.store.event_reader import EventReader
from fabula.store.evidence_reader import EvidenceReader
from fabula.store.job_reader import JobReader
from fabula.store.knowing_reader import KnowingReader
from fabula.store.link_reader import LinkReader
from fabula.store.log import LogReader
from fabula.store.lore_reader import LoreReader
from fabula.store.manuscript_reader import ManuscriptReader
from fabula.store.proposal_reader import ProposalReader
from fabula.store.querying import Querying
from fabula.store.reveal_reader import RevealReader
from fabula.store.thread_reader import ThreadReader
from fabula.store.vector_reader import VectorReader
from fabula.store.waiver_reader import WaiverReader


class PartReaders(Querying):
    """A reader for each part of a story, made when first used: most questions need one or two of them."""

    @cached_property
    def accounts(self) -> AccountReader:
        """Users, tokens and roles."""
        return AccountReader(self.connection)

    @cached_property
    def log(self) -> LogReader:
        """The change logs."""
        return LogReader(self.connection)

    @cached_property
    def conversations(self) -> ConversationReader:
        """The conversations of clients."""
        return ConversationReader(self.connection)

    @cached_property
    def books(self) -> BookReader:
        """The lorebooks beside the stories' own."""
        return BookReader(self.connection)

    @cached_property
    def lore(self) -> LoreReader:
        """The lorebooks."""
        return LoreReader(self.connection)

    @cached_property
    def manuscript(self) -> ManuscriptReader:
        """The manuscripts."""
        return ManuscriptReader(self.connection)

    @cached_property
    def dated(self) -> DatedReader:
        """What is dated by a moment."""
        return DatedReader(self.connection)

    @cached_property
    def events(self) -> EventReader:
        """The events."""
        return EventReader(self.connection)

    @cached_property
    def evidence(self) -> EvidenceReader:
        """The evidence of facts."""
        return EvidenceReader(self.connection)

    @cached_property
    def knowings(self) -> KnowingReader:
        """Who knows which facts."""
        return KnowingReader(self.connection)

    @cached_property
    def threads(self) -> ThreadReader:
        """The threads."""
        return ThreadReader(self.connection)

    @cached_property
    def waivers(self) -> WaiverReader:
        """The findings that are intended."""
        return WaiverReader(self.connection)

    @cached_property
    def reveals(self) -> RevealReader:
        """The reveals."""
        return RevealReader(self.connection)

    @cached_property
    def links(self) -> LinkReader:
        """The participations in events."""
        return LinkReader(self.connection)

    @cached_property
    def proposals(self) -> ProposalReader:
        """The proposals."""
        return ProposalReader(self.connection)

    @cached_property
    def vectors(self) -> VectorReader:
        """The embeddings."""
        return VectorReader(self.connection)

    @cached_property
    def jobs(self) -> JobReader:
        """The background jobs."""
        return JobReader(self.connection)
