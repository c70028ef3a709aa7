"""Sentences that give somebody a rank or a title; written before the rule that reads them.

A control says the right one again, tells how somebody came by another, or remembers an earlier one.
"""

from __future__ import annotations

from bench.eval.mutation_shapes import Shapes
from fabula.model.relation import Language

# Of one group, nobody has two at a time. "Lord" and "Sir" only stand before names.
RANKS: dict[Language, tuple[tuple[str, ...], ...]] = {
    "en": (("lieutenant", "captain", "major", "colonel"), ("sergeant", "captain", "general")),
    "zh": (("都督", "丞相", "太守", "县令", "尚书"), ("上尉", "少校", "上校", "中将")),
}
TITLES: dict[Language, tuple[tuple[str, ...], ...]] = {
    "en": (("baron", "count", "duke", "marquis"), ("doctor", "professor"), ("lord", "sir")),
    "zh": (("公爵", "伯爵", "男爵", "侯爵"), ("医生", "教授")),
}
ONLY_BEFORE_NAMES = ("lord", "sir")

RANKED_FIRST: dict[Language, tuple[str, ...]] = {
    "en": (
        "{Value} {who} was well known there.",
        "Everybody took off their hats to {Value} {who}.",
        "{who} was a {value}.",
        "{who}, a {value}, lived there quietly.",
    ),
    "zh": ("{who}是{value}。", "{value}{who}也在其中。", "{who}身为{value}，无人不知。"),
}
RANKED: dict[Language, Shapes] = {
    "en": {
        "tuned": (
            "{Value} {who} bowed and said nothing.",
            "They all rose when {Value} {who} came in.",
            "{who} was a {value}.",
            "{who}, the {value}, laughed.",
        ),
        "other": (
            "The {value}, {who}, shook his head.",
            "“Good morning, {Value} {who},” said the porter.",
            "As a {value}, {who} was used to being obeyed.",
            "He sent the letter to {Value} {who}.",
            "{who} had been a {value} for years.",
            "There was no better {value} than {who}.",
            "{who} lived as a {value} should.",
            "“{Value} {who} is waiting,” he whispered.",
        ),
        "held out": (
            "The carriage of {Value} {who} stood at the gate.",
            "{who} signed the book as a {value}.",
            "It was {Value} {who} who answered.",
            "No one contradicted {who}, who was a {value}.",
            "{who} spoke as only a {value} can.",
            "The {value} {who} kept his own counsel.",
            "{who}’s pride as a {value} was hurt.",
            "“Ask {Value} {who},” they told him.",
        ),
    },
    "zh": {
        "tuned": (
            "{value}{who}走了进来。",
            "{who}是一名{value}。",
            "{who}乃{value}。",
            "{who}身为{value}，不便开口。",
        ),
        "other": (
            "“{who}{value}到了。”有人喊道。",
            "身为{value}的{who}叹了口气。",
            "他把信交给{value}{who}。",
            "{who}不愧是{value}。",
            "作为{value}，{who}自然要来。",
            "{who}这个{value}当得不易。",
        ),
        "held out": (
            "{who}以{value}的身份坐在上首。",
            "那位{value}正是{who}。",
            "{value}{who}的马车停在门口。",
            "{who}到底是{value}，谁也不敢怠慢。",
            "谁不知道{who}是一位{value}？",
            "{who}做{value}已有多年。",
            "大家望着{value}{who}，不敢出声。",
        ),
    },
}
# No contradiction: somebody comes by another rank, or once had one.
CHANGED: dict[Language, tuple[str, ...]] = {
    "en": (
        "That spring {who} was made a {value}.",
        "The King made {who} a {value}.",
        "{who} had become a {value} in the meantime.",
        "{who} was a {value} now, and proud of it.",
        "When {who} was still a {value}, all that was different.",
        "Long ago {who} had been a {value}.",
        "{who} hoped to be a {value} one day.",
        "{who} was no {value}.",
    ),
    "zh": (
        "这年春天，{who}升为{value}。",
        "朝廷封{who}为{value}。",
        "{who}如今已做了{value}。",
        "{who}当年还是{value}的时候，并不这样。",
        "{who}被任命为{value}。",
        "{who}从前也当过{value}。",
        "{who}一心想当{value}。",
        "{who}又不是{value}。",
    ),
}
