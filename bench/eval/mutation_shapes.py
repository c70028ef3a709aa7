"""The sentences of which mutations are made, by how well the rules know them.

`tuned` shapes were looked at while the rules were made, `other` shapes were written afterwards and looked at
once to mend whole classes; which `held out` shapes are missed is never shown. Those of English traits and
deaths were replaced after the rules were widened for the earlier ones, which are now among the others, and
nothing was changed for them.
"""

from __future__ import annotations

from typing import Literal

from fabula.model.relation import Language

Familiarity = Literal["tuned", "other", "held out"]
FAMILIARITIES: tuple[Familiarity, ...] = ("tuned", "other", "held out")
Shapes = dict[Familiarity, tuple[str, ...]]

# Said first.
TRAITS_FIRST: dict[Language, tuple[str, ...]] = {
    "en": (
        "{who}’s {value} {noun} could be seen from afar.",
        "{who} had {value} {noun}.",
        "{who}’s {noun} were {value}.",
    ),
    "zh": (
        "{who}有一{count}{value}色的{noun}。",
        "{who}的{noun}是{value}色的。",
        "{who}生着一{count}{value}色的{noun}。",
    ),
}
# Said again, rightly or wrongly.
TRAITS: dict[Language, Shapes] = {
    "en": {
        "tuned": (
            "{who} smiled, and {his} {value} {noun} shone.",
            "A ray of light fell on {who}’s {value} {noun}.",
            "{who}, with {his} {value} {noun}, stood out from all the rest.",
            "Nobody could forget {who}’s {value} {noun}.",
        ),
        "other": (
            "{who} looked up. {His} {value} {noun} moved him.",
            "The {noun} of {who} were {value}.",
            "{who} turned away {his} {value} {noun}.",
            "How {value} {who}’s {noun} were!",
            "{who}, whose {noun} were {value}, bowed.",
            "Under the lamp {who}’s {noun} looked almost {value}.",
            "{who} had the same {value} {noun} as ever.",
            "What he remembered of {who} was the {value} {noun}.",
            "The {value} {noun} of {who} gave nothing away.",
            "{who}’s {noun} had always been {value}.",
            "There was something in {who}’s {noun}, {value} and restless, that pleased nobody.",
            "He knew {who} by the {value} {noun}.",
            "{who} raised {his} head, and the {value} {noun} caught the light.",
            "Nature had given {who} {value} {noun}.",
            "Everyone spoke of {who} and {his} {value} {noun}.",
            "{who}’s {value} {noun} gave {his} age away.",
            "{who} took off the hat, and one saw that {his} {noun} were {value}.",
            "The first thing one noticed about {who} was {his} {value} {noun}.",
        ),
        "held out": (
            "{who}’s {noun}, always {value}, told of a northern race.",
            "In the mirror {who} studied {his} {value} {noun}.",
            "They would have known {who} anywhere, with {his} {value} {noun}.",
            "It was said that {who}’s {noun} were as {value} as a cat’s.",
            "{who} passed a hand over {his} {value} {noun}.",
        ),
    },
    "zh": {
        "tuned": (
            "{who}{value}色的{noun}闪了一闪。",
            "只见{who}那{count}{value}色的{noun}在灯下发亮。",
            "众人都望着{who}的{value}{noun}。",
            "{who}抬起头来，{value}色的{noun}十分惹眼。",
        ),
        "other": (
            "{who}那一{count}{value}{noun}，谁也忘不了。",
            "灯光照着{who}{value}色的{noun}。",
            "{who}回过头来。他那{count}{value}色的{noun}望着众人。",
        ),
        "held out": (
            "{value}{noun}的{who}坐在一旁。",
            "{who}生就一{count}{value}{noun}。",
            "{who}的{noun}原是{value}的。",
        ),
    },
}
TIES_FIRST: dict[Language, tuple[str, ...]] = {
    "en": (
        "{other} was {who}’s {kin}.",
        "{other}, the {kin} of {who}, was well known there.",
        "{who}’s {kin}, {other}, was there.",
    ),
    "zh": ("{other}是{who}的{kin}。", "{who}的{kin}{other}也在其中。"),
}
TIES: dict[Language, Shapes] = {
    "en": {
        "tuned": (
            "At that moment {who}’s {kin}, {other}, came in.",
            "{other}, {who}’s {kin}, said nothing.",
            "{who} was waiting for {his} {kin} {other}.",
            "{other} was the {kin} of {who}.",
        ),
        "other": (
            "{who} introduced {his} {kin}, {other}.",
            "“{other} is my {kin},” said {who}.",
            "{other} was, after all, {who}’s {kin}.",
        ),
        "held out": (
            "{who} and {his} {kin} {other} walked on.",
            "As {who}’s {kin}, {other} had a right to know.",
            "{who} had a {kin}, {other}.",
        ),
    },
    "zh": {
        "tuned": (
            "正说着，{who}的{kin}{other}走了进来。",
            "{other}乃{who}的{kin}。",
            "{who}忙去见他{kin}{other}。",
            "原来{other}就是{who}的{kin}。",
        ),
        "other": (
            "{other}，{who}的{kin}，一言不发。",
            "{who}道：“{other}是我{kin}。”",
            "{other}既是{who}的{kin}，自然该来。",
        ),
        "held out": (
            "{who}带着{kin}{other}来了。",
            "{who}的{kin}，也就是{other}，笑了。",
            "{other}作为{who}的{kin}，不好多说。",
        ),
    },
}  # fmt: skip
DEATHS: dict[Language, Shapes] = {
    "en": {
        "tuned": (
            "{who} died that night.",
            "{who} was killed on the spot.",
            "A week later {who} died of a fever.",
            "{who} was buried in the village.",
        ),
        "other": (
            "They buried {who} on the hill.",
            "{who} had passed away.",
            "{who} lay dead on the floor.",
            "{who} did not survive the night.",
            "{who} fell dead.",
            "It was the day of {who}’s funeral.",
            "{who} never woke again.",
            "By morning {who} was dead.",
            "{who}’s heart had stopped.",
            "{who} had fallen in battle.",
            "They laid {who} in the grave.",
            "{who} drowned in the river.",
            "Death took {who} in the spring.",
            "{who} was struck dead by lightning.",
            "At noon {who} expired.",
            "{who} was carried to the churchyard in a plain coffin.",
        ),
        "held out": (
            "The fever killed {who} within a week.",
            "{who} had been dead an hour.",
            "{who} died in his sleep.",
            "On Tuesday {who} was hanged.",
            "{who} sank back lifeless.",
        ),
    },
    "zh": {
        "tuned": ("当夜{who}便去世了。", "{who}不久病故。", "{who}一病身亡。", "谁知{who}竟死了。"),
        "other": ("{who}已经不在人世了。", "{who}撒手人寰。", "众人把{who}葬了。"),
        "held out": ("{who}就这样死去了。", "{who}闭目而逝。", "{who}中箭而亡。"),
    },
}  # fmt: skip
ACTS: dict[Language, Shapes] = {
    "en": {
        "tuned": (
            "“Come here,” said {who}.",
            "{who} laughed and sat down.",
            "{who} opened the door and looked in.",
            "“Why?” {who} asked.",
            "{who} walked slowly across the room.",
        ),
        "other": (
            "{who} shrugged.",
            "“Never!” snapped {who}.",
            "{who} lit a cigar.",
            "{who} followed them down the stairs.",
            "“Yes,” {who} agreed.",
            "{who} picked up the letter.",
            "{who} set the glass on the table.",
            "“I know nothing of it,” {who} told them when they came.",
            "{who} broke the seal and unfolded the letter.",
            "Slowly {who} shut the book.",
            "{who} made no answer, and began to pace the room.",
            "{who} came down to breakfast.",
            "With a nod {who} left the room.",
            "{who} hurried after the carriage.",
            "“Wait!” called {who}.",
            "{who} poured out the tea.",
        ),
        "held out": (
            "{who} knocked twice.",
            "“Good morning,” {who} said cheerfully.",
            "{who} went upstairs and locked the door.",
            "Then {who} took the reins.",
            "“Who goes there?” shouted {who}.",
        ),
    },
    "zh": {
        "tuned": (
            "{who}笑道：“你来了。”",
            "{who}走进来坐下。",
            "只见{who}站起来点头。",
            "{who}忙问道：“怎么样？”",
            "{who}转身出去了。",
        ),
        "other": ("{who}端起茶来喝了一口。", "{who}摆了摆手。", "{who}冷冷地说：“不必。”"),
        "held out": ("{who}打开信看了一遍。", "{who}低声说：“走吧。”", "{who}皱了皱眉头。"),
    },
}  # fmt: skip
REMEMBERED: dict[Language, tuple[str, ...]] = {
    "en": (
        "Everybody remembered {who}.",
        "They spoke of the death of {who} again.",
        "He dreamt that {who} came in and sat down.",
        "In the portrait {who} stood beside a horse.",
        "{who}’s sword still hung on the wall.",
    ),
    "zh": (
        "众人想起{who}，不免伤感。",
        "大家又说起{who}的死。",
        "夜里梦见{who}走进来坐下。",
        "画上的{who}站在马旁。",
        "{who}的剑还挂在墙上。",
    ),
}
