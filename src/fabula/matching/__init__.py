"""Finds the names, aliases and keywords of a story in a text in one pass; pure."""

from fabula.matching.blanks import closed_up
from fabula.matching.fold import Folded, FoldedStretch, fold, is_word_char
from fabula.matching.matcher import Matcher
from fabula.matching.terms import Hit, Match, Term

__all__ = ["Folded", "FoldedStretch", "Hit", "Match", "Matcher", "Term", "closed_up", "fold", "is_word_char"]
