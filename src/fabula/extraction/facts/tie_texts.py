"""Ties told as facts about one person: 贾政的妻子, "Levin's brother"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabula.extraction.facts.names_in_use import NamesInUse
from fabula.extraction.kin import KIN
from fabula.extraction.ties.drafts import FoundTie
from fabula.model.relation import Language

# What each end is to the other, where the type does not say it: source, target.
_ENDS: dict[Language, dict[str, tuple[str, str]]] = {
    "zh": {
        "parent": ("{}的父母", "{}的孩子"),
        "sibling": ("{}的手足", "{}的手足"),
        "mentors": ("{}的师父", "{}的弟子"),
        "ally": ("{}的盟友", "{}的盟友"),
        "enemy": ("曾与{}为敌", "曾与{}为敌"),
        "rivals": ("{}的对手", "{}的对手"),
        "结拜": ("与{}结义", "与{}结义"),
        "夫妻": ("与{}成婚", "与{}成婚"),
        "丈夫": ("{}的丈夫", "{}的妻子"),
        "妻子": ("{}的妻子", "{}的丈夫"),
        "手下": ("{}手下的人", ""),
        "同伴": ("常与{}同行", "常与{}同行"),
        "杀死": ("杀死{}", "被{}杀死"),
        "knows": ("与{}交谈", "与{}交谈"),
        "owns": ("持有{}", ""),
        "located_at": ("在{}", ""),
        "belongs_to": ("属{}", ""),
    },
    "en": {
        "parent": ("Parent of {}", "Child of {}"),
        "sibling": ("Sibling of {}", "Sibling of {}"),
        "mentors": ("Teacher of {}", "Pupil of {}"),
        "ally": ("Ally of {}", "Ally of {}"),
        "enemy": ("Enemy of {}", "Enemy of {}"),
        "rivals": ("Rival of {}", "Rival of {}"),
        "spouse": ("Married to {}", "Married to {}"),
        "betrothed": ("Engaged to {}", "Engaged to {}"),
        "husband": ("Husband of {}", "Wife of {}"),
        "wife": ("Wife of {}", "Husband of {}"),
        "loves": ("In love with {}", ""),
        "killed": ("Killed {}", "Killed by {}"),
        "serves": ("Serves {}", ""),
        "companion": ("Often with {}", "Often with {}"),
        "knows": ("Speaks with {}", "Speaks with {}"),
        "owns": ("Owns {}", ""),
        "located_at": ("Lives in {}", ""),
        "belongs_to": ("Belongs to {}", ""),
    },
}
# What English says of a man and of a woman.
_BY_SEX = {
    "Parent of {}": {"m": "Father of {}", "f": "Mother of {}"},
    "Child of {}": {"m": "Son of {}", "f": "Daughter of {}"},
    "Sibling of {}": {"m": "Brother of {}", "f": "Sister of {}"},
    "Married to {}": {"m": "Husband of {}", "f": "Wife of {}"},
}
_STOP: dict[Language, str] = {"zh": "。", "en": "."}


def tie_texts(
    tie: FoundTie, language: Language, called: NamesInUse, sexes: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Whom a tie describes, and the sentence that describes them."""
    source, target = called.at(tie.source.name, tie.end), called.at(tie.target.name, tie.end)
    of_source, of_target = _ENDS[language].get(tie.type, ("", ""))
    word = tie.description or ("" if tie.type in _ENDS[language] else tie.type)
    kin = KIN[language].get(word)
    if kin is not None:
        # The text's own word says what the one whom it describes is to the other.
        worded = f"{{}}的{word}" if language == "zh" else f"{{}}’s {word}"
        if kin.from_owner:
            of_target = worded
        else:
            of_source = worded
    for about, other, words in ((tie.source, target, of_source), (tie.target, source, of_target)):
        if words and about.type == "character":
            words = _BY_SEX.get(words, {}).get(sexes.get(about.name, ""), words)
            yield about.name, f"{words.format(other)}{_STOP[language]}"
